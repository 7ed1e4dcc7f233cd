import { RotateCcw } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import type { Run } from '@/api'
import { handleOf, texts, useSelect } from '@/core'
import { Button, ErrorNote } from '@/ui'
import { useRunActions } from './actions'
import { figuresOf } from './figures'

/** RunEnded stands where a reply would: what happened to a turn that failed or was stopped, what the agent has read, and Retry. */
export function RunEnded({ run, channel }: { run: Run; channel: string }) {
  const handle = useSelect((s) => handleOf(s, run.binding_id)) ?? texts.run.ofAgent
  const archived = useSelect((s) => Boolean(s.channels[run.channel_id]?.archived_at))
  const { retry } = useRunActions(run.id)
  const button = !archived && (
    <Button size="sm" icon={<RotateCcw size={12} aria-hidden />} busy={retry.isPending} onClick={() => retry.mutate()}>
      {texts.run.retry}
    </Button>
  )
  if (run.state === 'failed') {
    return (
      <div className="column">
      <ErrorNote className="my-1 ml-10" action={button}>
        <span className="font-medium">{texts.run.failed(handle)}</span> {run.failure?.message}{' '}
        {run.started_at && <span>{run.failure?.held ? texts.run.held : texts.run.notHeld}</span>} <Figures run={run} channel={channel} />
      </ErrorNote>
      </div>
    )
  }
  return (
    <div className="column my-1 flex items-center gap-2 text-soft">
      <p className="min-w-0 flex-1 pl-10">
        {run.started_at ? texts.run.stopped(handle) : texts.run.takenOut(handle)} <Figures run={run} channel={channel} />
      </p>
      {button}
    </div>
  )
}

function Figures({ run, channel }: { run: Run; channel: string }) {
  if (!run.started_at) return null
  return (
    <Link to="/c/$channel/runs/$run" params={{ channel, run: run.id }} className="rounded-sm text-small underline underline-offset-2">
      {figuresOf(run).join(' · ')}
    </Link>
  )
}
