import { useMutation } from '@tanstack/react-query'
import { problemOf, useHearth } from '@/core'
import { useToast } from '@/ui'

/** useRunActions stops and retries a run. What goes wrong is said in a toast. */
export function useRunActions(runId: string) {
  const hearth = useHearth()
  const toast = useToast()
  const onError = (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' })
  const stop = useMutation({ mutationFn: () => hearth.stopRun(runId), onError })
  const retry = useMutation({ mutationFn: () => hearth.retryRun(runId), onError })
  return { stop, retry }
}
