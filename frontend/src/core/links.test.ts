import { describe, expect, it } from 'vitest'
import { linkIn, rowLink, rowPath } from './links'

const id = '01KBA2M3N4P5Q6R7S8T9V0W1X2'

describe('linkIn', () => {
  it.each([
    [`http://127.0.0.1:4321/c/general/m/${id}`, { path: `/c/general/m/${id}` }],
    [` http://localhost/c/general/t/${id}?row=x#y \n`, { path: `/c/general/t/${id}?row=x#y` }],
    ['https://example.org/c/%EB%B0%B1%EC%97%94%EB%93%9C', { path: '/c/%EB%B0%B1%EC%97%94%EB%93%9C' }],
    ['/c/백엔드/workbench/notes/why.md?line=3', { path: '/c/백엔드/workbench/notes/why.md?line=3' }],
    ['/c/general/runs/r1', { path: '/c/general/runs/r1' }],
    [id, { row: id }],
  ])('%s leads somewhere', (text, to) => expect(linkIn(text)).toEqual(to))
  it.each(['', 'general', '/c/', '/c//m/x', '/d/x', 'http://x', 'javascript:alert(1)', '//evil/c/x y', `/c/${'x'.repeat(5000)}`, '/c/general/other/x', id.toLowerCase(), id + 'X'])(
    '%s does not',
    (text) => expect(linkIn(text)).toBeUndefined(),
  )
})

describe('a link to a message', () => {
  it('leads to its channel, or into its thread, and is found again where it is pasted', () => {
    expect(rowLink('백엔드', { id, thread_root_id: '' })).toEqual({ to: '/c/$channel/m/$row', params: { channel: '백엔드', row: id } })
    expect(rowLink('general', { id: 'reply', thread_root_id: id })).toEqual({ to: '/c/$channel/t/$root', params: { channel: 'general', root: id }, search: { row: 'reply' } })
    expect(rowPath('백엔드', { id, thread_root_id: '' })).toBe(`/c/%EB%B0%B1%EC%97%94%EB%93%9C/m/${id}`)
    const reply = rowPath('general', { id: 'reply', thread_root_id: id })
    expect(reply).toBe(`/c/general/t/${id}?row=reply`)
    expect(linkIn(reply)).toEqual({ path: reply })
  })
})
