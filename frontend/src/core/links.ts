import type { Row } from '@/api'

/** Where a pasted text leads: to an address of the page, or to a message of which only the id is known. */
export type LinkTo = { path: string } | { row: string }

/** What stands after a channel in its addresses. */
const places = /^\/c\/[^/?#]+(\/(m|t|runs|context|workbench|roster|settings|cache)(\/[^?#]*)?)?\/?(\?[^#]*)?(#.*)?$/

/**
 * linkIn finds a link to something in Hearth in what was typed or pasted: a whole address, of whatever host and port (a Hearth has
 * another port after each start), the path of one, or the id of a message.
 */
export function linkIn(text: string): LinkTo | undefined {
  const typed = text.trim()
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(typed)) return { row: typed }
  const path = /^https?:\/\/[^/\s]+(\/\S*)$/.exec(typed)?.[1] ?? typed
  if (path.length > 4000 || /\s/.test(path)) return undefined
  return places.test(path) ? { path } : undefined
}

/** rowLink is where a message stands: in its channel, or in the thread that it is a reply in. `channel` is how the channel is named in addresses. */
export function rowLink(channel: string, row: Pick<Row, 'id' | 'thread_root_id'>) {
  return row.thread_root_id === ''
    ? ({ to: '/c/$channel/m/$row', params: { channel, row: row.id } } as const)
    : ({ to: '/c/$channel/t/$root', params: { channel, root: row.thread_root_id }, search: { row: row.id } } as const)
}

/** rowPath is the address of a message, without the host. */
export function rowPath(channel: string, row: Pick<Row, 'id' | 'thread_root_id'>): string {
  const part = (text: string) => encodeURIComponent(text)
  return `/c/${part(channel)}/` + (row.thread_root_id === '' ? `m/${part(row.id)}` : `t/${part(row.thread_root_id)}?row=${part(row.id)}`)
}
