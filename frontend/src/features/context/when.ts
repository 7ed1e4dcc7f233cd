import { formatClock, formatDay, texts } from '@/core'

/** whenOf is a moment that stays as it is: the clock, and the day before it where that is not today. */
export function whenOf(time: string, now = new Date()): string {
  const clock = formatClock(time)
  return new Date(time).toDateString() === now.toDateString() ? clock : texts.common.at(formatDay(time, now), clock)
}

/** exactOf is a moment to the second. */
export const exactOf = (time: string): string => `${whenOf(time)}:${String(new Date(time).getSeconds()).padStart(2, '0')}`
