import { describe, expect, it } from 'vitest'
import { makePermission } from '@/test/make'
import { shortOf, wantedOf, within } from './wanted-of'

describe('wantedOf', () => {
  it.each([
    ['a command', 'Bash', { command: 'ls', description: 'Look' }, { kind: 'command', command: 'ls', description: 'Look' }],
    ['an edit', 'Edit', { file_path: '/w/a', old_string: 'x', new_string: 'y' }, { kind: 'change', change: { path: '/w/a', whole: false, edits: [{ before: 'x', after: 'y', everyPlace: false }] } }],
    [
      'several edits', 'MultiEdit', { file_path: '/w/a', edits: [{ old_string: 'x', new_string: 'y', replace_all: true }, { old_string: 'p', new_string: '' }] },
      { kind: 'change', change: { path: '/w/a', whole: false, edits: [{ before: 'x', after: 'y', everyPlace: true }, { before: 'p', after: '', everyPlace: false }] } },
    ],
    ['a new file', 'Write', { file_path: '/w/a', content: 'x' }, { kind: 'change', change: { path: '/w/a', whole: true, edits: [{ before: '', after: 'x', everyPlace: false }] } }],
    ['an edit that is none', 'MultiEdit', { file_path: '/w/a', edits: [1] }, { kind: 'fields', fields: [{ name: 'file_path', value: '/w/a' }, { name: 'edits', value: '[\n  1\n]' }] }],
    ['fields', 'WebFetch', { url: 'https://x', n: 2 }, { kind: 'fields', fields: [{ name: 'url', value: 'https://x' }, { name: 'n', value: '2' }] }],
    ['anything else', 'X', [1], { kind: 'fields', fields: [{ name: '', value: '[\n  1\n]' }] }],
  ])('%s', (_, tool, input, want) => expect(wantedOf(makePermission('p', { tool, input }))).toEqual(want))
})

describe('shortOf', () => {
  it('is the path from the folder it works in', () => {
    expect(shortOf(makePermission('p', { tool: 'Write', input: { file_path: '/w/src/a', content: '' } }))).toBe('src/a')
  })
})

describe('within', () => {
  it.each([['/w/a', '/w', 'a'], ['/w/a', '/w/', 'a'], ['/wide/a', '/w', '/wide/a'], ['/w/a', '', '/w/a']])('%s in %s', (path, folder, want) =>
    expect(within(path, folder)).toBe(want),
  )
})
