import { useEffect, useRef, useState, type RefObject } from 'react'
import { useHearth, useSelect, type Item, type PlaceId } from '@/core'
import type { Row } from '@/api'

const isOwn = (row: Row) => row.kind === 'user' && row.handle === ''

const looking = () => document.visibilityState === 'visible' && document.hasFocus()

/** newestRow is the last of a list that the server has. */
export function newestRow(items: readonly Item[]): Row | undefined {
  const last = items.findLast((item) => item.kind === 'row')
  return last?.kind === 'row' ? last.row : undefined
}

/** useReading notes that the end of a channel or a thread is read, while somebody looks at it. */
export function useReading({ channelId, threadRootId }: PlaceId, items: readonly Item[], away: boolean, list: RefObject<HTMLElement | null>): void {
  const hearth = useHearth()
  const unread = useSelect((s) => s.unread[channelId]?.count ?? 0)
  const news = useSelect((s) => (threadRootId ? (s.threadNews[threadRootId] ?? 0) : 0))
  const row = newestRow(items)
  useEffect(() => {
    if (away || !row) return
    const read = () => {
      // Where the panes have no room for both, the list stands in the page unseen.
      if (!looking() || list.current?.clientHeight === 0) return
      if (threadRootId) {
        if (news > 0) hearth.store.dispatch({ type: 'thread.seen', rootId: threadRootId })
      } else hearth.store.dispatch({ type: 'read', channelId, reading: { id: row.id, at: row.created_at } })
    }
    read()
    window.addEventListener('focus', read)
    document.addEventListener('visibilitychange', read)
    return () => {
      window.removeEventListener('focus', read)
      document.removeEventListener('visibilitychange', read)
    }
  }, [hearth, channelId, threadRootId, away, row, unread, news, list])
}

/**
 * useNewMark is the row after which everything is new to the person: the last that was read when the place was opened, or when
 * they turned to something else. It stays until they leave: `memory` lasts as long as the place is open.
 */
export function useNewMark({ channelId, threadRootId }: PlaceId, items: readonly Item[], memory: RefObject<string | undefined>): string | undefined {
  const hearth = useHearth()
  const [mark, setMark] = useState(() => {
    if (memory.current !== undefined) return memory.current
    const { unread, channels, threadNews } = hearth.store.get()
    if (!threadRootId) return unread[channelId] ? channels[channelId]?.read_row_id : undefined
    const rows = items.flatMap((item) => (item.kind === 'row' ? [item.row] : []))
    const news = threadNews[threadRootId] ?? 0
    const first = news > 0 ? rows.filter((r) => !isOwn(r)).at(-news) : undefined
    return first && rows.findLast((r) => r.id < first.id)?.id
  })
  useEffect(() => {
    memory.current = mark
  }, [memory, mark])
  const row = newestRow(items)
  const left = useRef<string>(undefined)
  const newest = useRef(row)
  useEffect(() => {
    if (left.current !== undefined && row && row.id > left.current && !isOwn(row) && !looking()) {
      setMark(left.current)
      left.current = undefined
    }
    newest.current = row
  }, [row])
  useEffect(() => {
    const turn = () => {
      left.current = looking() ? undefined : newest.current?.id
    }
    window.addEventListener('blur', turn)
    window.addEventListener('focus', turn)
    document.addEventListener('visibilitychange', turn)
    return () => {
      window.removeEventListener('blur', turn)
      window.removeEventListener('focus', turn)
      document.removeEventListener('visibilitychange', turn)
    }
  }, [])
  return mark
}

/** firstNew is the item that a mark stands before; undefined when that is not held. */
export function firstNew(items: readonly Item[], mark: string | undefined, more: boolean): { key: string; index: number; since: string } | undefined {
  if (!mark) return undefined
  const index = items.findIndex((item) => item.kind === 'row' && item.row.id > mark && !isOwn(item.row))
  const item = items[index]
  if (item?.kind !== 'row') return undefined
  const before = items.slice(0, index).findLast((i) => i.kind === 'row' && i.row.id <= mark)
  // Where what is held begins after the mark, the first of it need not be the first that is new.
  if (!before && more) return undefined
  return { key: item.key, index, since: before?.kind === 'row' ? before.row.created_at : item.row.created_at }
}
