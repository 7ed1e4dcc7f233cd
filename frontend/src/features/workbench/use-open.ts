import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { WorkbenchEntry, WorkbenchFileName } from '@/api'
import { fileSearch, listSearch, type FileSearch } from './address'

/** A file that can be opened. */
export type FileName = Pick<WorkbenchEntry, 'path' | 'path_bytes'>

/** The place of a file in an address. */
export interface OpenFile {
  /** Empty: none is open. */
  path: string
  search: FileSearch
}

/** useOpen is the file that the address names. */
export function useOpen(): OpenFile {
  const { _splat: path = '' } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  return { path, search: fileSearch(search) }
}

/** fileLink is where a file is opened; `bench`: its workbench where that has to be said. */
export function fileLink(channel: string, { path, path_bytes }: FileName, more: { bench?: string | undefined; line?: number | undefined } = {}) {
  return {
    to: '/c/$channel/workbench/$' as const,
    params: { channel, _splat: path },
    search: (now: { wide?: true }) => ({
      ...(now.wide ? { wide: true as const } : {}),
      ...(more.bench ? { bench: more.bench } : {}),
      ...(path_bytes ? { bytes: path_bytes } : {}),
      ...(more.line ? { line: more.line } : {}),
    }),
  }
}

/** useShowsDeleted says that the address is that of what was deleted. */
export function useShowsDeleted(): boolean {
  const { _splat } = useParams({ strict: false })
  const search = useSearch({ strict: false })
  // The route of a file matches this address as well, with no path.
  return !_splat && listSearch(search).deleted === true
}

/** nameOf names a file in a request. */
export const nameOf = ({ path, path_bytes }: FileName): WorkbenchFileName => (path_bytes ? { path_bytes } : { path })

/** useGo opens files, and none, and what was deleted. */
export function useGo() {
  const navigate = useNavigate()
  const { channel = '' } = useParams({ strict: false })
  const open = useCallback(
    (file: FileName, more?: { bench?: string | undefined; line?: number | undefined }) => void navigate(fileLink(channel, file, more)),
    [navigate, channel],
  )
  const none = useCallback(() => navigate({ to: '/c/$channel/workbench', params: { channel }, search: (now: { wide?: true }) => (now.wide ? { wide: true as const } : {}) }), [navigate, channel])
  const deleted = useCallback(
    () => void navigate({ to: '/c/$channel/workbench', params: { channel }, search: (now: { wide?: true }) => ({ ...(now.wide ? { wide: true as const } : {}), deleted: true as const }) }),
    [navigate, channel],
  )
  return { channel, open, none, deleted }
}
