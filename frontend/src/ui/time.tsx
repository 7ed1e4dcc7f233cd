import { useSyncExternalStore } from 'react'
import { Tooltip } from './tooltip'
import { useUiWords } from './words'

/** One clock for all: a page of messages does not want a timer each. */
function clock(every: number) {
  let now = Date.now()
  let timer: ReturnType<typeof setInterval> | undefined
  const listeners = new Set<() => void>()
  return {
    get: () => now,
    subscribe: (listener: () => void) => {
      if (listeners.size === 0) {
        now = Date.now()
        timer = setInterval(() => {
          now = Date.now()
          for (const l of listeners) l()
        }, every)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearInterval(timer)
      }
    },
  }
}

const minutes = clock(20_000)
const seconds = clock(1000)

/** useNow is the time, brought up to date every second or three times a minute. */
export function useNow(every: 'second' | 'minute'): number {
  const source = every === 'second' ? seconds : minutes
  return useSyncExternalStore(source.subscribe, source.get)
}

/** RelativeTime is a time in short words, and in full on hover and to screen readers. */
export function RelativeTime({ time, className }: { time: string; className?: string }) {
  const words = useUiWords()
  const now = useNow('minute')
  const full = words.full(time)
  return (
    <Tooltip content={full}>
      <time dateTime={time} aria-label={full} className={className}>
        {words.relative(time, new Date(Math.max(now, Date.parse(time))))}
      </time>
    </Tooltip>
  )
}
