import { formatClock, formatDay } from './format'
import { texts } from './texts'
import { locale } from './texts'

/** whenOf is a moment that stays as it is: the clock, and the day before it where that is not today. */
export function whenOf(time: string, now = new Date()): string {
  const clock = formatClock(time)
  return new Date(time).toDateString() === now.toDateString() ? clock : texts.common.at(formatDay(time, now), clock)
}

const dayShort = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })

/** ticksOf are moments in a word each, to stand side by side: the clock where they lie within a day, the day otherwise. */
export function ticksOf(times: readonly string[]): string[] {
  const at = times.map((time) => Date.parse(time))
  const name = Math.max(...at) - Math.min(...at) < 86_400_000 ? formatClock : (time: string) => dayShort.format(new Date(time))
  return times.map(name)
}

/** exactOf is a moment to the second. */
export const exactOf = (time: string): string => `${whenOf(time)}:${String(new Date(time).getSeconds()).padStart(2, '0')}`
