import { useQuery } from '@tanstack/react-query'
import type { WorkbenchPiece, WorkbenchPieceQuery } from '@/api'
import { useHearth } from '@/core'
import { firstBytes } from './file-window'
import type { OpenFile } from './use-open'

/** What of a file is asked for in every request. */
export const queryOf = ({ path, search }: OpenFile): WorkbenchPieceQuery => ({
  ...(search.bench ? { bench: search.bench } : {}),
  ...(search.bytes ? { path_bytes: search.bytes } : { path }),
})

/** Texts of files are not kept for long once nobody looks at them, in milliseconds. */
const keptFor = 15_000

/** useFirstPiece is the beginning of a file, and what it is; fetched anew as the workbench changes. */
export function useFirstPiece(channelId: string, file: OpenFile, enabled: boolean) {
  const { api } = useHearth()
  return useQuery({
    queryKey: ['workbench', channelId, 'file', file.search.bench ?? '', file.path, file.search.bytes ?? ''],
    enabled,
    staleTime: 0,
    gcTime: keptFor,
    queryFn: ({ signal }) => api.workbenchPiece(channelId, { ...queryOf(file), limit: firstBytes }, { signal }),
    // The same as before stays the same object.
    structuralSharing: (before, after) => {
      const was = before as WorkbenchPiece | undefined
      const is = after as WorkbenchPiece
      return was?.modified === is.modified && was.size === is.size && was.bench === is.bench ? was : is
    },
  })
}

/** The most that one request brings, in bytes. */
const mostPiece = 1 << 20

/** useWhole is all of a file's text, up to a limit in bytes; undefined while it is fetched, and where it is longer. */
export function useWhole(channelId: string, file: OpenFile, first: WorkbenchPiece, limit: number) {
  const { api } = useHearth()
  const complete = first.next_offset >= first.size
  const { data } = useQuery({
    queryKey: ['workbench-whole', channelId, file.search.bench ?? '', file.path, file.search.bytes ?? '', first.modified],
    enabled: !complete && first.size <= limit,
    gcTime: keptFor,
    queryFn: async ({ signal }) => {
      let { text, next_offset: at } = first
      while (at < first.size) {
        const piece = await api.workbenchPiece(channelId, { ...queryOf(file), offset: at, limit: mostPiece }, { signal })
        if (piece.next_offset <= at) break
        text += piece.text
        at = piece.next_offset
      }
      return text
    },
  })
  return complete ? (first.size <= limit ? first.text : undefined) : data
}

/** bytesAddress is where the server gives a file byte by byte. The time makes it another address when the file is another. */
export function bytesAddress(channelId: string, file: OpenFile, modified = ''): string {
  const query = new URLSearchParams(queryOf(file) as Record<string, string>)
  return `/api/channels/${encodeURIComponent(channelId)}/workbench/bytes?${query.toString()}${modified ? `#${encodeURIComponent(modified)}` : ''}`
}
