import { useNavigate, useParams } from '@tanstack/react-router'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { channelAt, texts, useSelect } from '@/core'
import { Roster } from '@/features/roster'
import { RunDetail } from '@/features/run'
import { ThreadPanel } from '@/features/thread'
import { EmptyState, IconButton } from '@/ui'

/** The detail panel: what the address names beside the chat. Each view fills it; a line at the top names it and closes it. */
function Panel({ title, children }: { title: string; children: ReactNode }) {
  const { channel = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line pr-2 pl-4">
        <h2 className="min-w-0 flex-1 truncate text-title font-semibold">{title}</h2>
        <IconButton label={texts.detail.close} onClick={() => void navigate({ to: '/c/$channel', params: { channel } })}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </div>
  )
}

/** useChannelId is the id of the channel that the address names; the page above has made sure that it is there. */
function useChannelId(): string {
  const { channel = '' } = useParams({ strict: false })
  return useSelect((s) => channelAt(s, channel)?.id ?? '')
}

export function DetailRoster() {
  const channelId = useChannelId()
  return (
    <Panel title={texts.detail.tabs.roster}>
      <Roster channelId={channelId} />
    </Panel>
  )
}

export function DetailThread() {
  const channelId = useChannelId()
  const { root = '' } = useParams({ strict: false })
  return (
    <Panel title={texts.thread.title}>
      <ThreadPanel key={root} channelId={channelId} rootId={root} />
    </Panel>
  )
}

export function DetailRun() {
  const { run = '' } = useParams({ strict: false })
  const title = useSelect((s) => s.bindings[s.runs[run]?.binding_id ?? '']?.handle)
  return (
    <Panel title={texts.run.title(title ?? texts.run.ofAgent)}>
      <RunDetail key={run} runId={run} />
    </Panel>
  )
}

/** DetailUnavailable keeps an address whose view this Hearth does not have. */
export function DetailUnavailable() {
  return (
    <Panel title={texts.app.detail}>
      <EmptyState title={texts.detail.notHere} hint={texts.detail.notHereHint} />
    </Panel>
  )
}
