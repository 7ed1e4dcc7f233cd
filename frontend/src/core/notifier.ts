import { texts } from './texts'
import type { Notice } from './notify'

/** What is shown on the desktop. */
export interface Shown {
  title: string
  body: string
  /** A later one with the same tag takes its place. */
  tag: string
  /** Where a click leads. */
  address: string
}

export interface NotifierOptions {
  show: (shown: Shown) => void
  /** Whether one that waited is still to be shown. */
  isWanted: (notice: Notice) => boolean
  /** What a channel is called. */
  placeOf: (channelId: string) => string
  now?: () => number
  /** Calls back after some milliseconds, until what it gives is called. */
  later?: (callback: () => void, after: number) => () => void
}

/** How long after one the next of the same channel waits, in milliseconds. */
export const apart = 5000

/** Questions stand by themselves: a reply takes the place of a reply, never that of a question. */
const tagOf = (notice: Notice) => notice.channelId + (notice.kind === 'permission' ? '/permission' : '')

/**
 * Notifier shows notices, of a channel at most one in some seconds: what comes sooner waits and is shown together. Each is shown
 * once or was not wanted any more; none is lost.
 */
export class Notifier {
  private readonly waiting = new Map<string, Notice[]>()
  private readonly cancels = new Set<() => void>()
  private readonly last = new Map<string, number>()
  private readonly now: () => number
  private readonly later: (callback: () => void, after: number) => () => void

  constructor(private readonly options: NotifierOptions) {
    this.now = options.now ?? (() => Date.now())
    this.later =
      options.later ??
      ((callback, after) => {
        const timer = setTimeout(callback, after)
        return () => clearTimeout(timer)
      })
  }

  add(notice: Notice): void {
    const tag = tagOf(notice)
    const waiting = this.waiting.get(tag)
    if (waiting) {
      waiting.push(notice)
      return
    }
    const wait = (this.last.get(tag) ?? -apart) + apart - this.now()
    // A clock that was set back makes nobody wait longer than usual.
    if (wait <= 0 || wait > apart) {
      this.show(tag, [notice])
      return
    }
    this.waiting.set(tag, [notice])
    const cancel = this.later(() => {
      this.cancels.delete(cancel)
      const all = this.waiting.get(tag) ?? []
      this.waiting.delete(tag)
      const wanted = all.filter(this.options.isWanted)
      if (wanted.length > 0) this.show(tag, wanted)
    }, wait)
    this.cancels.add(cancel)
  }

  stop(): void {
    for (const cancel of this.cancels) cancel()
    this.cancels.clear()
    this.waiting.clear()
  }

  private show(tag: string, notices: readonly Notice[]): void {
    const newest = notices.at(-1)
    if (!newest) return
    this.last.set(tag, this.now())
    const place = this.options.placeOf(newest.channelId)
    this.options.show({ ...wordsOf(notices, newest, place), tag, address: newest.address })
  }
}

function wordsOf(notices: readonly Notice[], newest: Notice, place: string): Pick<Shown, 'title' | 'body'> {
  const { notify } = texts
  if (notices.length === 1) return { title: notify.one[newest.kind](newest.who, place), body: newest.text }
  const counts = (['permission', 'failed', 'reply'] as const)
    .map((kind) => [kind, notices.filter((n) => n.kind === kind).length] as const)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => notify.many[kind](n))
  return { title: notify.inPlace(counts.join(texts.common.and), place), body: newest.who ? notify.said(newest.who, newest.text) : newest.text }
}
