import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { WorkbenchEntry } from '@/api'
import { fileSearch, type FileSearch } from './address'

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

/** useGo opens files, and none. */
export function useGo() {
  const navigate = useNavigate()
  const { channel = '' } = useParams({ strict: false })
  const open = useCallback(
    (file: FileName, more?: { bench?: string | undefined; line?: number | undefined }) => void navigate(fileLink(channel, file, more)),
    [navigate, channel],
  )
  const none = useCallback(() => void navigate({ to: '/c/$channel/workbench', params: { channel }, search: (now: { wide?: true }) => (now.wide ? { wide: true as const } : {}) }), [navigate, channel])
  return { channel, open, none }
}
