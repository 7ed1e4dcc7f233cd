import { selectAgents, useCommand, useSelector } from '@/core'
import { useAgentActions } from '@/features/agent'

/** AgentCommands offers what can be done to the agents of a channel by key: without a certain one, to the one that is at work or the first. */
export function AgentCommands({ channelId }: { channelId: string }) {
  const agents = useSelector(selectAgents, channelId)
  const { startFresh } = useAgentActions()
  useCommand(
    'agent.fresh',
    (about) => {
      const agent = about === undefined ? (agents.find((a) => a.state.run_id !== '') ?? agents[0]) : agents.find((a) => a.binding.id === about)
      if (!agent) return false
      startFresh(agent)
      return true
    },
    agents.length > 0,
  )
  return null
}
