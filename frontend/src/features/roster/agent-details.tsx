import type { Agent } from '@/api'
import { problemOf, texts } from '@/core'
import { useAgentDetail } from '@/features/agent'
import { Button, ErrorNote, Skeleton } from '@/ui'
import { AgentFacts } from './agent-facts'
import { AgentNext } from './agent-next'
import { AgentPast } from './agent-past'
import { AgentQueue } from './agent-queue'
import { AgentRules } from './agent-rules'
import { AgentTools } from './agent-tools'
import { Part } from './part'

/** AgentDetails are one agent looked at closely: how it is set up and runs, what waits, what comes next, what was, what it may do and can call. */
export default function AgentDetails({ agent }: { agent: Agent }) {
  const { data, error, refetch } = useAgentDetail(agent)
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-2">
      {error && (
        <ErrorNote action={<Button size="sm" onClick={() => void refetch()}>{texts.common.tryAgain}</Button>}>{problemOf(error).message}</ErrorNote>
      )}
      <AgentFacts agent={agent} detail={data} />
      {data ? (
        <>
          {data.queue.length > 0 && <AgentQueue detail={data} />}
          {data.binding.role === 'coordinator' && data.binding.workers.length > 0 && (
            <Part title={texts.closely.workers(data.binding.workers.length)}>
              <ul className="flex flex-col gap-1 text-small">
                {data.binding.workers.map((w) => (
                  <li key={w.name} className="[overflow-wrap:anywhere]">
                    <span className="font-medium">{w.name}</span>{' '}
                    <span className="text-soft">
                      {w.model === '' || w.model === 'inherit' ? texts.closely.inherits : w.model}
                      {w.isolated && texts.common.and + texts.closely.isolated}
                    </span>
                    <p dir="auto">{w.description}</p>
                  </li>
                ))}
              </ul>
            </Part>
          )}
          <AgentNext detail={data} />
          <AgentPast detail={data} />
        </>
      ) : (
        !error && <Skeleton lines={4} />
      )}
      <AgentRules binding={agent.binding} />
      {data && <AgentTools tools={data.tools} />}
    </div>
  )
}
