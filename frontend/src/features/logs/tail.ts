import type { LogLine, LogPage } from '@/api'

/** What is held of the log: one stretch of the lines that fit, the newest last. */
export interface Held {
  readonly lines: readonly LogLine[]
  /** The place after what was looked at. */
  readonly next: string
  /** There may be older lines than the first one held. */
  readonly more: boolean
  /** The line after which some are missing. */
  readonly gap?: string | undefined
}

/** How many lines are held at most: the list draws what can be seen of them. */
export const most = 2000

/** grown is what is held when lines were written since; the oldest go where it is too much. */
export function grown(held: Held, page: LogPage): Held {
  if (page.reset) return { lines: page.lines, next: page.next, more: page.more, gap: page.lines[0]?.id }
  if (page.lines.length === 0 && page.next === held.next) return held
  const lines = [...held.lines, ...page.lines]
  const cut = Math.max(0, lines.length - most)
  const kept = lines.slice(cut)
  return { lines: kept, next: page.next, more: held.more || cut > 0, gap: kept.some((l) => l.id === held.gap) ? held.gap : undefined }
}

/** back is what is held when older lines were fetched. Where it would be too much, no more can be had. */
export function back(held: Held, page: LogPage): Held {
  // The place was gone: what there is begins with the first line that is held.
  if (page.reset) return { ...held, more: false }
  const room = Math.max(0, most - held.lines.length)
  const lines = room === 0 ? [] : page.lines.slice(-room)
  return { ...held, lines: [...lines, ...held.lines], more: page.more || lines.length < page.lines.length }
}

/** textOf is a line as it is copied. */
export function textOf(line: LogLine): string {
  const attributes = line.attributes.map((a) => ` ${a.key}=${/^[^\s"=]+$/.test(a.value) ? a.value : JSON.stringify(a.value)}`)
  return [line.at, line.level.toUpperCase().padEnd(5), line.message + attributes.join('')].filter(Boolean).join(' ')
}
