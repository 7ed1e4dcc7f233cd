import { useEffect } from 'react'
import { useHearth, useSelect } from '@/core'

/**
 * useAgentStates fetches how agents are of whom only the binding is known: the stream tells that one was added, and of its state
 * when that changes first.
 */
export function useAgentStates(channelId: string): void {
  const hearth = useHearth()
  const known = useSelect((s) => s.people[channelId] !== undefined)
  const missing = useSelect((s) =>
    Object.values(s.bindings).filter((b) => b.channel_id === channelId && !s.agents[b.id]).map((b) => b.id).join(' '),
  )
  useEffect(() => {
    if (known && missing !== '') hearth.loadRoster(channelId).catch(() => undefined) // the next change tells
  }, [hearth, channelId, known, missing])
}
