import { useCallback, useEffect, useRef, useState } from 'react'
import { problemOf, useHearth } from '@/core'
import type { Level } from './search'
import { back, grown, type Held } from './tail'

/** How many lines are fetched at once, and how often new ones are asked for, in milliseconds. */
const page = 500
const every = 1000

export interface Tail {
  /** undefined: none have come yet. */
  held: Held | undefined
  problem: string | undefined
  older: () => void
  /** Older lines are on their way. */
  fetching: boolean
}

/**
 * useTail holds the newest lines that fit and asks for those that are written since. The log is a file: it is asked for instead
 * of streamed, so that reading it costs nothing while nobody looks.
 */
export function useTail(level: Level, text: string): Tail {
  const { api } = useHearth()
  const [held, setHeld] = useState<Held>()
  const [problem, setProblem] = useState<string>()
  const [fetching, setFetching] = useState(false)
  const current = useRef<{ signal: AbortSignal; first: string | undefined }>(undefined)

  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    let timer: ReturnType<typeof setTimeout> | undefined
    let next = ''
    let begun = false
    current.current = { signal, first: undefined }
    const look = async () => {
      try {
        const got = await api.logs({ level, text, limit: page, ...(next ? { after: next } : {}) }, { signal })
        const first = !begun || next === ''
        begun = true
        next = got.next
        setHeld((now) => (first || !now ? { lines: got.lines, next: got.next, more: got.more } : grown(now, got)))
        setProblem(undefined)
        if (!first && got.lines.length === page) return void look() // there is more already
      } catch (error) {
        if (signal.aborted) return
        setProblem(problemOf(error).message)
      }
      again()
    }
    const again = () => {
      if (!signal.aborted) timer = setTimeout(() => (document.visibilityState === 'hidden' ? again() : void look()), every)
    }
    void look()
    return () => {
      ending.abort()
      clearTimeout(timer)
      setHeld(undefined)
      setProblem(undefined)
      setFetching(false)
    }
  }, [api, level, text])

  const first = held?.lines[0]?.id
  const older = useCallback(() => {
    const { current: asking } = current
    if (!asking || first === undefined || asking.first === first) return
    asking.first = first
    setFetching(true)
    api
      .logs({ level, text, limit: page, before: first }, { signal: asking.signal })
      .then(
        (got) => setHeld((now) => (now?.lines[0]?.id === first ? back(now, got) : now)),
        (error: unknown) => {
          asking.first = undefined
          if (!asking.signal.aborted) setProblem(problemOf(error).message)
        },
      )
      .finally(() => !asking.signal.aborted && setFetching(false))
  }, [api, level, text, first])
  return { held, problem, older, fetching }
}
