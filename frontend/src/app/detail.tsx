import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, Blocks, Gauge, Hammer, Maximize2, Minimize2, Settings2, Users, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { channelAt, texts, useCommand, useSelect } from '@/core'
import { CacheView, keepWide } from '@/features/cache'
import { ChannelSettings } from '@/features/channels'
import { ContextView, TurnPart } from '@/features/context'
import { Roster } from '@/features/roster'
import { RunDetail } from '@/features/run'
import { ThreadPanel } from '@/features/thread'
import { WorkbenchView } from '@/features/workbench'
import { IconButton } from '@/ui'
import { useFrame, useWide } from './frame-context'

/** The detail panel: what the address names beside the chat. A line at the top names it, leads to its neighbours, and closes it. */
function Panel({ head, children }: { head: ReactNode; children: ReactNode }) {
  const { channel = '' } = useParams({ strict: false })
  const { layout } = useFrame()
  const wide = useWide()
  const navigate = useNavigate()
  const name = useSelect((s) => channelAt(s, channel)?.name)
  const close = () => void navigate({ to: '/c/$channel', params: { channel } })
  useCommand('close', close)
  return (
    <div className="flex h-full min-h-0 flex-col">
      {/* Where it covers the chat, the chat's heading is not there. */}
      {!layout.chat && <h1 className="sr-only">{name}</h1>}
      <div className="flex h-11 shrink-0 items-center gap-1 border-b border-line pr-2 pl-4">
        {!layout.chat && (
          <IconButton label={texts.app.back} onClick={close} className="-ml-2">
            <ArrowLeft size={16} aria-hidden />
          </IconButton>
        )}
        {head}
        {(layout.chat || wide) && (
          <IconButton label={wide ? texts.context.beside : texts.context.wide} onClick={() => void navigate({ to: '.', search: ({ wide: _, ...now }) => (wide ? now : { ...now, wide: true }), hash: true })}>
            {wide ? <Minimize2 size={15} aria-hidden /> : <Maximize2 size={15} aria-hidden />}
          </IconButton>
        )}
        {layout.chat && (
          <IconButton label={texts.detail.close} onClick={close}>
            <X size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </div>
  )
}

function Title({ hidden = false, children }: { hidden?: boolean; children: ReactNode }) {
  return <h2 className={hidden ? 'sr-only' : 'min-w-0 flex-1 truncate text-title font-semibold'}>{children}</h2>
}

const tab = 'group flex h-11 items-center border-b-2 border-transparent px-1 @max-[20rem]:px-2 @[23rem]:mx-0.5 @[23rem]:px-2 font-medium text-soft transition-colors hover:text-text aria-[current]:border-accent aria-[current]:text-text'

/** Tabs leads from one view of the channel to the others. */
function Tabs({ title }: { title: string }) {
  const { channel = '' } = useParams({ strict: false })
  const params = { channel }
  const { tabs } = texts.detail
  const views = [
    { to: '/c/$channel/roster', text: tabs.roster, Icon: Users }, { to: '/c/$channel/context', text: tabs.context, Icon: Blocks },
    { to: '/c/$channel/cache', text: tabs.cache, Icon: Gauge }, { to: '/c/$channel/workbench', text: tabs.workbench, Icon: Hammer },
    { to: '/c/$channel/settings', text: tabs.settings, Icon: Settings2 },
  ] as const
  return (
    <>
      <Title hidden>{title}</Title>
      <nav aria-label={texts.app.detail} className="@container -ml-2 flex min-w-0 flex-1 overflow-x-auto">
        {views.map(({ to, text, Icon }) => (
          <Link key={to} to={to} params={params} search={keepWide} className={tab} title={text}>
            {/* Where there is no room for five words, only where one is has its word. */}
            <Icon size={15} aria-hidden className="hidden @max-[20rem]:group-not-aria-[current]:block" />
            <span className="@max-[20rem]:group-not-aria-[current]:sr-only">{text}</span>
          </Link>
        ))}
      </nav>
    </>
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
    <Panel head={<Tabs title={texts.detail.tabs.roster} />}>
      <Roster channelId={channelId} />
    </Panel>
  )
}

export function DetailSettings() {
  const channelId = useChannelId()
  return (
    <Panel head={<Tabs title={texts.detail.tabs.settings} />}>
      <ChannelSettings channelId={channelId} />
    </Panel>
  )
}

export function DetailContext() {
  const channelId = useChannelId()
  const { run } = useParams({ strict: false })
  return (
    <Panel head={<Tabs title={texts.detail.tabs.context} />}>
      <ContextView key={channelId} channelId={channelId} runId={run} />
    </Panel>
  )
}

export function DetailCache() {
  const channelId = useChannelId()
  return (
    <Panel head={<Tabs title={texts.detail.tabs.cache} />}>
      <CacheView key={channelId} channelId={channelId} />
    </Panel>
  )
}

export function DetailWorkbench() {
  const channelId = useChannelId()
  return (
    <Panel head={<Tabs title={texts.detail.tabs.workbench} />}>
      <WorkbenchView key={channelId} channelId={channelId} />
    </Panel>
  )
}

export function DetailThread() {
  const channelId = useChannelId()
  const { root = '' } = useParams({ strict: false })
  const { row } = useSearch({ strict: false })
  return (
    <Panel head={<Title>{texts.thread.title}</Title>}>
      <ThreadPanel key={root} channelId={channelId} rootId={root} target={row} />
    </Panel>
  )
}

export function DetailRun() {
  const { run = '' } = useParams({ strict: false })
  const title = useSelect((s) => s.bindings[s.runs[run]?.binding_id ?? '']?.handle)
  return (
    <Panel head={<Title>{texts.run.title(title ?? texts.run.ofAgent)}</Title>}>
      <RunDetail key={run} runId={run} />
      <TurnPart key={`sent:${run}`} runId={run} />
    </Panel>
  )
}
