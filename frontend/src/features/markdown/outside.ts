import type { MouseEvent } from 'react'

/** An address that leads anywhere but outside is no link. */
export function outside(url: string): string {
  return /^(https?:\/\/|mailto:)/i.test(url.trim()) ? url.trim() : ''
}

/** What the window offers; a browser has none of it. */
interface Native {
  openExternal?: (url: string) => unknown
}

/** openOutside has the window hand a link to the person's browser; a browser opens a tab by itself. */
export function openOutside(event: MouseEvent<HTMLAnchorElement>): void {
  const { openExternal } = (window as { hearth?: Native }).hearth ?? {}
  const url = outside(event.currentTarget.getAttribute('href') ?? '')
  if (!openExternal || url === '') return
  event.preventDefault()
  void openExternal(url)
}

/**
 * fileOf is the path of a picture on disk that an address in Markdown names, as it was written; undefined when it leads elsewhere:
 * what has a scheme or names a host is no file of the channel's folder.
 */
export function fileOf(src: string): string | undefined {
  let path = src.trim().replace(/^file:\/\/(?=\/)/i, '')
  if (path === '' || path.startsWith('//') || path.startsWith('#') || /^[a-z][a-z0-9+.-]*:/i.test(path)) return undefined
  try {
    path = decodeURIComponent(path)
  } catch {
    // A percent sign that stands for itself.
  }
  return path.includes('\0') ? undefined : path
}

/** pictureAddress is where the server gives a file of a channel's folder. */
export const pictureAddress = (channelId: string, path: string): string =>
  `/api/channels/${encodeURIComponent(channelId)}/file?path=${encodeURIComponent(path)}`
