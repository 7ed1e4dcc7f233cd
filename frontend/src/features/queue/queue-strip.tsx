import { X } from 'lucide-react'
import type { Run } from '@/api'
import { handleOf, selectQueue, texts, useSelect, useSelector } from '@/core'
import { useRunActions } from '@/features/run'
import { IconButton } from '@/ui'

export interface QueueStripProps {
  channelId: string
}

/** QueueStrip lists what waits until its agent is done with another turn; each can be taken out. Nothing when nothing waits. */
export function QueueStrip({ channelId }: QueueStripProps) {
  const queue = useSelector(selectQueue, channelId)
  if (queue.length === 0) return null
  return (
    <section aria-label={texts.queue.title(queue.length)} className="rounded-md border border-line bg-side px-3 py-1">
      <p className="text-small text-soft">{texts.queue.title(queue.length)}</p>
      <ol className="max-h-32 overflow-y-auto">
        {queue.map((run) => (
          <Queued key={run.id} run={run} />
        ))}
      </ol>
    </section>
  )
}

function Queued({ run }: { run: Run }) {
  const handle = useSelect((s) => handleOf(s, run.binding_id)) ?? texts.run.ofAgent
  const body = useSelect((s) => s.rows[run.row_id]?.body ?? '')
  const { stop } = useRunActions(run.id)
  return (
    <li className="flex items-center gap-2">
      <span className="min-w-0 flex-1 truncate" dir="auto">
        <span className="font-medium">{handle}</span> <span className="text-soft">{body}</span>
      </span>
      <IconButton size="sm" label={texts.run.takeOut} disabled={stop.isPending} onClick={() => stop.mutate()}>
        <X size={14} aria-hidden />
      </IconButton>
    </li>
  )
}
