import { addressOf, nameOf, selectToRead, texts, type DeskState, type State } from '@/core'

/** How many channels the menu of the tray names; the rest is a number. */
export const most = 8

/** deskState is what the tray shows: how much is to be read, where, and what can be done from there. */
export function deskState(state: State): DeskState {
  const channels = selectToRead(state)
  const { desk } = texts
  const of = (id: string) => state.unread[id] ?? { count: 0, atLeast: false }
  const unread = channels.reduce((n, c) => n + of(c.id).count, 0)
  const rest = channels.length - most
  return {
    unread,
    tip: unread > 0 ? desk.unread(unread) : desk.nothing,
    menu: [
      { text: desk.open, key: 'open' },
      { text: desk.mention, key: 'mention' },
      ...(channels.length > 0 ? [{ text: '', key: '' }] : []),
      ...channels.slice(0, most).map((c) => ({
        text: desk.channel(nameOf(c), texts.channels.unreadShort(of(c.id).count, of(c.id).atLeast)),
        key: `/c/${encodeURIComponent(addressOf(c))}`,
      })),
      ...(rest > 0 ? [{ text: desk.more(rest), key: '' }] : []),
      { text: '', key: '' },
      { text: desk.end, key: 'quit' },
    ],
    hidden: desk.hidden,
    inTray: desk.inTray,
    withoutOne: desk.withoutOne,
  }
}
