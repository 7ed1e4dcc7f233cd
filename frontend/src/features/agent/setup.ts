import { useQuery } from '@tanstack/react-query'
import { useHearth } from '@/core'

/** useSetup has what agents need that Hearth does not bring looked for, once for all who show it; `refetch` looks again. */
export function useSetup(enabled = true) {
  const hearth = useHearth()
  return useQuery({
    queryKey: ['setup'],
    queryFn: async ({ signal }) => {
      await hearth.loadSetup(signal)
      return true
    },
    enabled,
  })
}
