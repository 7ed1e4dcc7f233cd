import { useCallback, useState } from 'react'

/** What was opened stays open when it is scrolled out of the list and back: the last few hundred. */
const kept = new Map<string, boolean>()
const most = 500

/** useKept is a switch that outlives its component. `key` names it in the whole page. */
export function useKept(key: string, initial = false): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => kept.get(key) ?? initial)
  const set = useCallback(
    (value: boolean) => {
      kept.delete(key)
      kept.set(key, value)
      const oldest = kept.keys().next()
      if (kept.size > most && !oldest.done) kept.delete(oldest.value)
      setOn(value)
    },
    [key],
  )
  return [on, set]
}
