import { useQuery } from '@tanstack/react-query'
import type { WorkbenchOrigin } from '@/api'
import { useHearth } from '@/core'
import { nameOf, type FileName } from './use-open'

/**
 * useOrigin is what wrote a file last, once that is known; undefined, too, where no run says so. Without a file or its workbench
 * nothing is asked.
 */
export function useOrigin(channelId: string, bench: string | undefined, file: (FileName & { modified?: string | undefined }) | undefined): WorkbenchOrigin | undefined {
  const { api } = useHearth()
  const { data } = useQuery({
    // Of one version of a file it stays the same.
    queryKey: ['workbench-origin', channelId, bench ?? '', file?.path ?? '', file?.path_bytes ?? '', file?.modified ?? ''],
    enabled: bench !== undefined && file !== undefined,
    queryFn: async ({ signal }) => (bench !== undefined && file ? ((await api.workbenchOrigin(channelId, { bench, ...nameOf(file) }, { signal })) ?? null) : null),
  })
  return data ?? undefined
}
