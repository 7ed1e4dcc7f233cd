import { useCallback, useEffect, useRef, useState } from 'react'
import { placeKey, problemOf, useHearth, useSelect, type PlaceId } from '@/core'

/** More rows than `most` are not held: where somebody scrolls, the other end is let go of, down to `kept`. */
const most = 1200
const kept = 800

/** usePages fetches the page before and the page after what is held, each one at a time. */
export function usePages(place: PlaceId) {
  const hearth = useHearth()
  const { channelId, threadRootId } = place
  const key = placeKey(place)
  const more = useSelect((s) => s.places[key]?.more ?? false)
  const newer = useSelect((s) => s.places[key]?.newer ?? false)
  const held = useSelect((s) => s.places[key]?.ids.length ?? 0)
  const older = useFetch(more, () => hearth.loadOlder({ channelId, threadRootId }))
  const later = useFetch(newer, () => hearth.loadNewer({ channelId, threadRootId }))

  // A step of its own: what grows at one end and shrinks at the other at once cannot be held still.
  const way = useRef<'older' | 'newer'>('older')
  const away = useRef(false)
  useEffect(() => {
    if (held <= most || !away.current) return
    hearth.store.dispatch({ type: 'rows.cut', place: { channelId, threadRootId }, keep: kept, at: way.current === 'older' ? 'end' : 'start' })
  }, [hearth, held, channelId, threadRootId])

  const loadOlder = useCallback(() => {
    way.current = 'older'
    older.load()
  }, [older])
  const loadNewer = useCallback(() => {
    way.current = 'newer'
    later.load()
  }, [later])
  return { more, newer, away, loadOlder, loadNewer, olderProblem: older.problem, newerProblem: later.problem }
}

function useFetch(wanted: boolean, fetch: () => Promise<void>) {
  const going = useRef(false)
  const [problem, setProblem] = useState<string>()
  const load = () => {
    if (going.current || !wanted) return
    going.current = true
    setProblem(undefined)
    fetch()
      .catch((error: unknown) => setProblem(problemOf(error).message))
      .finally(() => (going.current = false))
  }
  return { load, problem }
}
