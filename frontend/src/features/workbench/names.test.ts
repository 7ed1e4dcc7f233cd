import { describe, expect, it } from 'vitest'
import { visible, visibleName } from '@/core'
import { listSearch } from './address'
import { freeName } from './use-trash'

describe('visibleName', () => {
  it('shows what has no width', () => {
    expect(visibleName('che\u200bck\u2060.sh\ufeff')).toBe('che⟨200B⟩ck⟨2060⟩.sh⟨FEFF⟩')
    expect(visibleName('a\u00adb\u3164\uffa0')).toBe('a⟨00AD⟩b⟨3164⟩⟨FFA0⟩')
    expect(visibleName('a\u200db\ufe0f\u200c')).toBe('a⟨200D⟩b⟨FE0F⟩⟨200C⟩')
    expect(visibleName('\u200d한\u200d漢\u200c')).toBe('⟨200D⟩한⟨200D⟩漢⟨200C⟩')
    expect(visibleName('a\u202e\u0007')).toBe('a⟨202E⟩␇')
  })
  it('leaves what words and emoji are written with', () => {
    for (const text of ['👨‍👩‍👧', 'क्‍ष', 'می‌خواهم', '❤️', '1️⃣', '👍🏽‍❤️', 'plain.sh']) expect(visibleName(text)).toBe(text)
  })
  it('is more than is done to a text', () => {
    expect(visible('ไทย\u200bไทย\u202e')).toBe('ไทย\u200bไทย⟨202E⟩')
  })
})

describe('freeName', () => {
  it('keeps the folder and the end of the name', () => {
    expect(['scripts/a.b/check.tar.gz', 'scripts/a.b/check', 'notes/.x'].map(freeName)).toEqual(['scripts/a.b/check.tar-restored.gz', 'scripts/a.b/check-restored', 'notes/.x-restored'])
  })
})

describe('listSearch', () => {
  it('takes what fits', () => {
    expect(listSearch({ deleted: true, x: 1 })).toEqual({ deleted: true })
    expect(listSearch({ deleted: 'yes' })).toEqual({})
  })
})
