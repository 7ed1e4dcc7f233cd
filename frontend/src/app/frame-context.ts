import { useMatches, useSearch } from '@tanstack/react-router'
import { createContext, use } from 'react'
import type { PaneLayout } from '@/ui'

/** What a page needs to know of the frame it stands in. */
export interface FrameValue {
  layout: PaneLayout
  /** Opens the channel list over the page, where it has no pane of its own. */
  openList?: () => void
}

export const FrameContext = createContext<FrameValue | undefined>(undefined)

export function useFrame(): FrameValue {
  const frame = use(FrameContext)
  if (!frame) throw new Error('useFrame: there is no Frame above')
  return frame
}

/** useHasDetail says whether the address names something for the detail panel. */
export function useHasDetail(): boolean {
  return useMatches({ select: (matches) => /^\/c\/\$channel\/(?!m\/|$)./.test(matches.at(-1)?.routeId ?? '') })
}

/** useWide says whether the address gives the detail the whole page. */
export function useWide(): boolean {
  return useSearch({ strict: false, select: (search) => search.wide === true })
}
