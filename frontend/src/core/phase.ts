import type { AgentState } from '@/api'

/** How an agent's state looks at a glance. */
export type Glance = 'off' | 'on' | 'busy' | 'asks' | 'broken'

/** glanceOf is a state at a glance: whether a process is there, works, waits for somebody, or broke. */
export function glanceOf(state: AgentState): Glance {
  if (!state.reachable || state.phase === 'crashed') return 'broken'
  if (state.asking > 0) return 'asks'
  switch (state.phase) {
    case 'warm':
      return 'on'
    case 'busy':
    case 'starting':
    case 'ending':
      return 'busy'
    case 'waiting':
      return 'asks'
    default:
      return 'off'
  }
}
