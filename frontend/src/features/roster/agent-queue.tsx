import type { AgentDetail } from '@/api'
import { texts } from '@/core'
import { RelativeTime } from '@/ui'
import { Part } from './part'

/** AgentQueue is what waits for an agent, in the order in which it will take it up. */
export function AgentQueue({ detail: { queue, state } }: { detail: AgentDetail }) {
  const more = state.queued - queue.length
  return (
    <Part title={texts.closely.queue(Math.max(state.queued, queue.length))} open>
      <ol className="flex flex-col gap-1 text-small">
        {queue.map((q) => (
          <li key={q.run_id}>
            <p className="line-clamp-2 [overflow-wrap:anywhere]" dir="auto">{q.text || texts.closely.gone}</p>
            <p className="text-soft">
              {texts.closely.from(q.agent ? '@' + q.handle : q.handle || texts.common.you)} <RelativeTime time={q.queued_at} />
            </p>
          </li>
        ))}
      </ol>
      {more > 0 && <p className="text-small text-soft">{texts.closely.queueMore(more)}</p>}
    </Part>
  )
}
