/** How three panes share a width: the list at the left, the chat, and the detail at the right, where there is one. */
export interface PaneWidths {
  list: number
  detail: number
}

export interface PaneLayout {
  /** In pixels; 0: it has no room, and opens over the chat instead. */
  list: number
  /** The chat has no room beside the detail. */
  chat: boolean
  /** In pixels; 0: not shown. */
  detail: number
}

export const paneBounds = { list: { min: 180, max: 360 }, detail: { min: 300, max: 720 }, chat: 400 } as const

export const defaultWidths: PaneWidths = { list: 232, detail: 400 }

const within = (value: number, { min, max }: { min: number; max: number }) => Math.min(max, Math.max(min, value))

/** layoutPanes shrinks the side panes as the room gets narrow, then takes the list away, then the chat beside the detail. */
export function layoutPanes(width: number, wanted: PaneWidths, hasDetail: boolean): PaneLayout {
  const { chat, list, detail } = paneBounds
  const wantedList = within(wanted.list, list)
  if (!hasDetail) {
    const room = width - chat
    return { list: room >= list.min ? Math.min(wantedList, room) : 0, chat: true, detail: 0 }
  }
  const wantedDetail = within(wanted.detail, detail)
  const room = width - chat
  if (room >= list.min + detail.min) {
    const takenByDetail = Math.min(wantedDetail, room - list.min)
    return { list: Math.min(wantedList, room - takenByDetail), chat: true, detail: takenByDetail }
  }
  if (room >= detail.min) return { list: 0, chat: true, detail: Math.min(wantedDetail, room) }
  const beside = width - list.min
  return beside >= chat + 60 ? { list: Math.min(wantedList, list.min), chat: false, detail: beside } : { list: 0, chat: false, detail: width }
}
