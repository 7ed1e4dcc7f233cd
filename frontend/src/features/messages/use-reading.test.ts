import { describe, expect, it } from 'vitest'
import type { Item } from '@/core'
import { makeRow, time } from '@/test/make'
import { firstNew, newestRow } from './use-reading'

const item = (n: number, handle = 'aiko'): Item => ({ kind: 'row', key: `k${n}`, row: makeRow(`r${n}`, n, { handle }), run: undefined, head: true, day: false })
const pending: Item = { kind: 'pending', key: 'p', head: true, post: { channelId: 'c', id: 'p', body: '', at: time(9) } }

describe('the first that is new', () => {
  const items = [item(1), item(2, ''), item(3, ''), item(4), item(5), pending]
  it.each<[string, string | undefined, boolean, unknown]>([
    ['is the first by others after the mark', 'r2', true, { key: 'k4', index: 3, since: time(2) }],
    ['is none where nothing was marked', undefined, false, undefined],
    ['is none where nothing came after', 'r5', false, undefined],
    ['is not known where what is held begins after the mark', 'r0', true, undefined],
    ['is the first of all where there is nothing before', 'r0', false, { key: 'k1', index: 0, since: time(1) }],
    ['needs a mark that says something', '', false, undefined],
  ])('%s', (_, mark, more, want) => expect(firstNew(items, mark, more)).toEqual(want))

  it('is told by the rows that the server has', () => {
    expect(newestRow(items)?.id).toBe('r5')
    expect(newestRow([pending])).toBeUndefined()
  })
})
