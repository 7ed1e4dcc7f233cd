import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { canEdit, fits, pressed, useCommand, useHearth, type CommandId, type Item } from '@/core'
import type { Row } from '@/api'
import { useFocusLost } from '@/ui'
import { nearest } from './nearest'
import { useRowActions } from './row-actions'

const elementOf = (list: HTMLElement | null, key: string | undefined) => (key === undefined ? null : (list?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null))
const keyOf = (element: Element) => element.closest<HTMLElement>('[data-key]')?.dataset.key

export interface KeysOptions {
  items: readonly Item[]
  list: RefObject<VirtualizerHandle | null>
  scroller: RefObject<HTMLElement | null>
  /** How the channel is named in addresses. */
  channel: string
  inThread: boolean
}

/**
 * useKeys makes the list one stop for Tab: the arrow keys move between its rows, and letters act on the one that is chosen. What
 * is not its own, such as a link inside a row, is left alone.
 */
export function useKeys({ items, list, scroller, channel, inThread }: KeysOptions) {
  const hearth = useHearth()
  const actions = useRowActions(channel)
  const [chosen, setChosen] = useState<string>()
  const wanted = useRef<string>(undefined)
  const found = chosen === undefined ? -1 : items.findIndex((item) => item.key === chosen)
  const index = found < 0 ? items.length - 1 : found

  // The row that is moved to may have to come into the page first.
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const element = elementOf(scroller.current, wanted.current)
    if (!element) return
    wanted.current = undefined
    element.focus({ preventScroll: true })
  })

  const go = useCallback(
    (to: number) => {
      const item = items[to]
      if (!item) return
      wanted.current = item.key
      setChosen(item.key)
      list.current?.scrollToIndex(to, { align: 'nearest' })
    },
    [items, list],
  )

  const element = () => elementOf(scroller.current, items[index]?.key) ?? undefined
  const inside = () => scroller.current?.contains(document.activeElement) ?? false

  const move = (by: 1 | -1) => {
    const at = element()
    const room = scroller.current?.getBoundingClientRect()
    if (!at || !room || !at.contains(document.activeElement)) {
      go(index)
      return
    }
    // A row that is higher than the list is scrolled through before it is left.
    const box = at.getBoundingClientRect()
    const hidden = by > 0 ? box.bottom - room.bottom : room.top - box.top
    if (hidden > 4) list.current?.scrollBy(by * Math.min(hidden, room.height * 0.4))
    else go(index + by)
  }

  const press = (what: string) => {
    const button = element()?.querySelector<HTMLElement>(`[data-do="${what}"]`)
    button?.click()
    return button !== undefined && button !== null
  }
  const row = (): Row | undefined => {
    const item = items[index]
    return item?.kind === 'row' ? item.row : undefined
  }
  const withRow = (act: (row: Row) => void) => () => {
    const of = row()
    if (!of) return false
    act(of)
    return true
  }
  const copy = () => {
    // A part of a text that is selected is copied by the browser.
    if (document.getSelection()?.isCollapsed === false) return false
    return withRow(actions.copyText)()
  }
  const openThread = () => !inThread && withRow(actions.openThread)()
  const edit = (of: Row) => {
    if (canEdit(hearth.store.get(), of)) actions.edit(of)
  }

  /** What the row that is chosen does for a command; `steps` is no command, and Enter's. */
  const ofRow: Partial<Record<CommandId, () => boolean>> = {
    'message.next': () => (move(1), true),
    'message.previous': () => (move(-1), true),
    'thread.open': openThread,
    'run.retry': () => press('retry'),
    'run.stop': () => press('stop'),
    'message.edit': withRow(edit),
    'message.copy': copy,
    'message.link': withRow(actions.copyLink),
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return
    const target = event.target as HTMLElement
    if (target !== scroller.current && target.dataset.key === undefined) {
      // Inside a row: letters act on it, unless somebody writes; arrows and Enter belong to what has the focus.
      if (target.closest('input, textarea, select, [contenteditable], [role="menu"]') || event.key.length > 1) return
    }
    const { keys } = hearth.store.get().preferences
    const id = (Object.keys(ofRow) as CommandId[]).find((one) => pressed(event, one, keys))
    const done = id !== undefined ? ofRow[id]?.() : fits(event, 'enter') && press('steps')
    if (!done) return
    event.preventDefault()
    event.stopPropagation()
  }

  const about = (id: string | undefined): Row | undefined => (id === undefined ? (inside() ? row() : undefined) : hearth.store.get().rows[id])
  const onRow = (act: (row: Row) => void) => (id?: string) => {
    const of = about(id)
    if (!of) return false
    act(of)
    return true
  }
  useCommand('thread.open', onRow(actions.openThread), !inThread)
  useCommand('message.edit', onRow(edit))
  useCommand('message.copy', onRow(actions.copyText))
  useCommand('message.link', onRow(actions.copyLink))
  const free = () => document.activeElement === document.body || inside()
  useCommand('message.previous', () => free() && (move(-1), true))
  useCommand('message.next', () => free() && (move(1), true))

  const onFocus = useCallback((event: React.FocusEvent<HTMLElement>) => {
    const key = event.target.closest<HTMLElement>('[data-key]')?.dataset.key
    if (key !== undefined) setChosen(key)
  }, [])

  // Whoever is at a row that goes is left at the next one, or else at the one before; without any, at the composer.
  const before = useRef(items)
  useFocusLost(scroller, items.length > 0, keyOf, (key) => {
    const to = nearest(before.current, items, key)
    const there = elementOf(scroller.current, items[to]?.key)
    if (to < 0) hearth.commands.run('go.chat')
    else if (there) there.focus({ preventScroll: true })
    else go(to)
  })
  useEffect(() => {
    // As it was when the row that is chosen was still there.
    if (found >= 0 || chosen === undefined) before.current = items
  }, [items, found, chosen])

  return { chosen: items[index]?.key, keep: found, onKeyDown, onFocus }
}
