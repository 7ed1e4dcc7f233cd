import { describe, expect, it } from 'vitest'
import { cutsOf, groupsOf } from './considered'
import type { Considered, Sent } from './kinds'

const considered: Considered[] = [
  { row_id: '1', verdict: 'seen' }, { row_id: '2', verdict: 'cut' }, { row_id: '3', verdict: 'shown' }, { row_id: '4', verdict: 'addressed' }, { row_id: '5', verdict: 'cut' },
]
const sentWith = (text: string): Sent => ({ considered, blocks: [{ kind: 'rows', text, tokens: 1, characters: text.length }] })

it('groupsOf puts what was told first, and keeps the order of rows', () => {
  const told = groupsOf(considered).map(({ verdict, rows }) => ({ verdict, rows: rows.map((c) => c.row_id) }))
  expect(told).toEqual([
    { verdict: 'addressed', rows: ['4'] }, { verdict: 'shown', rows: ['3'] }, { verdict: 'cut', rows: ['2', '5'] }, { verdict: 'seen', rows: ['1'] },
  ])
})

describe('cutsOf', () => {
  const cut = (n: number) => ` … [${n} more characters; channel_history has the full message]`
  it('reads from the block how much of each row was left out', () => {
    const text = `\n\nNew messages:\n- [user] long${cut(40)}\n- [agent] @a: two\n  | - [user] lines${cut(7)}\n- [user] end${cut(1930)}`
    expect([...cutsOf(sentWith(text))]).toEqual([['2', 40], ['5', 1930]])
  })
  it('says nothing where lines and rows do not fit', () => expect(cutsOf(sentWith(`head\n- [user] one${cut(4)}`)).size).toBe(0))
})
