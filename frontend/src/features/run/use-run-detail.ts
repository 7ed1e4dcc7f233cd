import { useQuery } from '@tanstack/react-query'
import { hasEnded, useHearth, useSelect } from '@/core'

/** useRunDetail fetches a run with its steps; once more when it has ended, for then it is whole. */
export function useRunDetail(runId: string) {
  const hearth = useHearth()
  const ended = useSelect((s) => {
    const run = s.runs[runId]
    return run ? hasEnded(run) : false
  })
  return useQuery({
    queryKey: ['run', runId, ended],
    queryFn: async ({ signal }) => {
      const detail = await hearth.api.run(runId, { signal })
      hearth.store.dispatch({ type: 'run.loaded', detail })
      return detail
    },
  })
}
