import { RotateCcw } from 'lucide-react'
import type { Run } from '@/api'
import { handleOf, texts, useSelect } from '@/core'
import { SignIn } from '@/features/agent'
import { useKept } from '@/features/markdown'
import { Button, ErrorNote } from '@/ui'
import { useRunActions } from './actions'
import { ChangedPart } from './changed-part'
import type { RowFocus } from './row-focus'
import { Figures, RunSteps } from './run-footer'

/** What a turn fails with where nobody is signed in. */
const forSignIn = new Set<string | undefined>(['api', 'turn', 'start'])

/** RunEnded stands where a reply would: what happened to a turn that failed or was stopped, what the agent has read, and Retry. */
export function RunEnded({ run, channel, focus }: { run: Run; channel: string; focus?: RowFocus }) {
  const handle = useSelect((s) => handleOf(s, run.binding_id)) ?? texts.run.ofAgent
  const archived = useSelect((s) => Boolean(s.channels[run.channel_id]?.archived_at))
  const [open, setOpen] = useKept(`steps:${run.id}`)
  const { retry } = useRunActions(run.id)
  const failed = run.state === 'failed'
  const binding = useSelect((s) => s.bindings[run.binding_id])
  const last = useSelect((s) => !Object.values(s.runs).some((r) => r.binding_id === run.binding_id && r.id > run.id))
  const button = !archived && (
    <Button size="sm" data-do="retry" icon={<RotateCcw size={12} aria-hidden />} busy={retry.isPending} onClick={() => retry.mutate()}>
      {texts.run.retry}
    </Button>
  )
  const happened = failed ? texts.run.failed(handle) : run.started_at ? texts.run.stopped(handle) : texts.run.takenOut(handle)
  const details = run.started_at && (
    <span className="mt-0.5 -ml-1 flex flex-wrap items-center">
      <button type="button" data-do="steps" aria-expanded={open} onClick={() => setOpen(!open)} className="rounded-sm px-1 text-small text-soft underline underline-offset-2">
        {open ? texts.run.hideSteps : texts.run.showSteps}
      </button>
      <ChangedPart run={run} channel={channel} />
      <Figures run={run} channel={channel} />
    </span>
  )
  return (
    <article {...focus} aria-label={happened} className="-outline-offset-2">
      <div className="column py-1 pl-[calc(1.25rem+2.5rem)]">
        {failed ? (
          <ErrorNote action={button}>
            <span className="font-medium">{happened}</span> <span dir="auto">{run.failure?.message}</span>
            {run.started_at && <span className="block">{run.failure?.held ? texts.run.held : texts.run.notHeld}</span>}
            {details}
          </ErrorNote>
        ) : (
          <div className="flex items-start gap-2 text-soft">
            <div className="min-w-0 flex-1">
              {happened}
              {details}
            </div>
            {button}
          </div>
        )}
        {failed && last && binding && forSignIn.has(run.failure?.code) && (
          <div className="px-3 pt-1.5 empty:hidden">
            <SignIn binding={binding} faultOnly since={run.ended_at} />
          </div>
        )}
        {open && <RunSteps runId={run.id} />}
      </div>
    </article>
  )
}
