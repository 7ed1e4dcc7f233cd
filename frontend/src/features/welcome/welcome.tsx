import { Check, ChevronUp, CircleAlert, FolderOpen, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Agent, Channel, Setup } from '@/api'
import { addressOf, hearthWindow, problemOf, selectAgents, texts, useHearth, useSelect, useSelector } from '@/core'
import { useSetup } from '@/features/agent'
import { Button, cx, IconButton, lowWindow, useMedia, useToast } from '@/ui'
import { useNavigate } from '@tanstack/react-router'

/**
 * Welcome stands in the first channel until it is put away: which folder agents work in, whether Claude Code is there and what to
 * do if not, and something to try. Once an agent was asked something it makes room: a line is left while there is something to do.
 * In a low window it is a line from the start, and opens on demand.
 */
export function Welcome({ channel }: { channel: Channel }) {
  const welcomed = useSelect((s) => s.preferences.welcomed)
  const setup = useSelect((s) => s.setup)
  const asked = useSetup(!welcomed)
  const begun = useSelect((s) => Object.values(s.runs).some((run) => run.channel_id === channel.id))
  const agent = useSelector(selectAgents, channel.id)[0]
  const [opened, setOpened] = useState(false)
  const low = useMedia(lowWindow)
  if (welcomed || channel.archived_at || setup?.first_channel_id !== channel.id) return null
  if ((begun || low) && !opened) return <Rest agent={agent} setup={setup} begun={begun} low={low} onOpen={() => setOpened(true)} />
  return (
    <Card
      channel={channel}
      setup={setup}
      looking={asked.isFetching}
      onLook={() => void asked.refetch()}
      {...(begun || low ? { onLess: () => setOpened(false) } : {})}
    />
  )
}

interface RestProps {
  agent: Agent | undefined
  setup: Setup
  begun: boolean
  /** One line, however little of it fits. */
  low: boolean
  onOpen: () => void
}

/** Rest is the welcome in a line: what is still to be done before a model answers, or before anything was asked what this is. */
function Rest({ agent, setup, begun, low, onOpen }: RestProps) {
  const hearth = useHearth()
  const standin = agent?.binding.runtime === 'cli:standin:agent'
  const undone = agent && (standin || setup.claude.signed_in === 'no')
  if (begun && !undone) return null
  const words = !undone ? texts.welcome.title : standin ? texts.welcome.standin(agent.binding.handle) : texts.welcome.signedOutLine
  return (
    <section aria-label={texts.welcome.title} className="shrink-0 border-b border-line bg-side">
      <div className="column flex items-center gap-3 py-1.5">
        <p className={cx('min-w-0 flex-1', undone && 'text-amber', low && 'truncate')} title={words} dir="auto">
          {words}
        </p>
        <Button size="sm" onClick={onOpen}>{undone ? texts.welcome.more : texts.welcome.open}</Button>
        <IconButton label={texts.welcome.dismiss} size="sm" onClick={() => hearth.store.dispatch({ type: 'preferences', preferences: { welcomed: true } })}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
    </section>
  )
}

interface CardProps {
  channel: Channel
  setup: Setup
  looking: boolean
  onLook: () => void
  /** Makes a line of it again. */
  onLess?: () => void
}

function Card({ channel, setup, looking, onLook, onLess }: CardProps) {
  const hearth = useHearth()
  const toast = useToast()
  const navigate = useNavigate()
  const agent = useSelector(selectAgents, channel.id)[0]
  const [switching, setSwitching] = useState(false)
  const dismiss = () => hearth.store.dispatch({ type: 'preferences', preferences: { welcomed: true } })
  const say = (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' })

  const choose = async () => {
    const desktop = hearthWindow()
    if (!desktop) {
      await navigate({ to: '/c/$channel/settings', params: { channel: addressOf(channel) } })
      return
    }
    const workspace = await desktop.chooseFolder({ title: texts.channels.workspaceTitle, start: channel.workspace })
    if (workspace) hearth.store.dispatch({ type: 'channel.loaded', channel: await hearth.api.updateChannel(channel.id, { workspace }) })
  }
  const letClaude = async (id: string, handle: string) => {
    setSwitching(true)
    try {
      hearth.store.dispatch({ type: 'binding.loaded', binding: await hearth.api.updateBinding(id, { runtime: 'cli:claude:agent' }) })
      toast({ message: texts.welcome.usesClaude(handle) })
    } catch (error) {
      say(error)
    } finally {
      setSwitching(false)
    }
  }
  const tryIt = (handle: string) => {
    hearth.store.dispatch({ type: 'draft', place: { channelId: channel.id }, text: texts.welcome.tryText(handle) })
    hearth.commands.run('go.chat')
  }
  const standin = agent?.binding.runtime === 'cli:standin:agent'
  return (
    <section aria-label={texts.welcome.title} className="max-h-[min(50%,calc(100%-16rem))] shrink-[9999] overflow-y-auto border-b border-line bg-side">
      <div className="column flex flex-col gap-3 py-4">
        <header className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <h2 className="text-title font-semibold">{texts.welcome.title}</h2>
            <p className="text-soft">{texts.welcome.body}</p>
          </div>
          {onLess && (
            <IconButton label={texts.welcome.less} size="sm" onClick={onLess}>
              <ChevronUp size={16} aria-hidden />
            </IconButton>
          )}
          <IconButton label={texts.welcome.dismiss} size="sm" onClick={dismiss}>
            <X size={16} aria-hidden />
          </IconButton>
        </header>
        <dl className="flex flex-col gap-2">
          <Line term={texts.welcome.folder}>
            <span className="min-w-0 font-mono break-all" dir="ltr">{channel.workspace}</span>
            <Button size="sm" icon={<FolderOpen size={12} aria-hidden />} onClick={() => void choose().catch(say)}>
              {texts.welcome.chooseFolder}
            </Button>
          </Line>
          <Line term={texts.welcome.client}>
            <Claude setup={setup} />
            <Button size="sm" busy={looking} onClick={onLook}>{texts.welcome.again}</Button>
            {agent && standin && setup.claude.found && (
              <Button size="sm" tone="main" busy={switching} onClick={() => void letClaude(agent.binding.id, agent.binding.handle)}>
                {texts.welcome.useClaude(agent.binding.handle)}
              </Button>
            )}
          </Line>
        </dl>
        {agent && standin && <p className="rounded-md border border-transparent bg-amber-ground px-3 py-2 text-amber">{texts.welcome.standin(agent.binding.handle)}</p>}
        {agent && (
          <div className="flex gap-2">
            <Button tone={standin && setup.claude.found ? 'plain' : 'main'} onClick={() => tryIt(agent.binding.handle)}>{texts.welcome.tryIt}</Button>
          </div>
        )}
      </div>
    </section>
  )
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <dt className="w-28 shrink-0 text-soft">{term}</dt>
      <dd className="flex min-w-0 flex-1 basis-60 flex-wrap items-center gap-x-3 gap-y-1.5">{children}</dd>
    </div>
  )
}

/** Claude is whether the client was found and is signed in, and what to do where it is not. */
function Claude({ setup: { claude } }: { setup: Setup }) {
  const good = claude.found && claude.signed_in !== 'no' && !claude.problem
  const words = claude.found
    ? [
        claude.version ? texts.welcome.found(claude.version) : texts.welcome.foundUnknown,
        { yes: texts.welcome.signedIn, no: texts.welcome.signedOut, unknown: texts.welcome.signedInUnknown }[claude.signed_in],
      ].join(texts.common.and)
    : claude.problem || texts.welcome.missing
  return (
    <div className="flex min-w-0 items-start gap-1.5">
      {good ? <Check size={14} aria-hidden className="mt-1 shrink-0 text-green" /> : <CircleAlert size={14} aria-hidden className="mt-1 shrink-0 text-amber" />}
      <div className="min-w-0">
        <p className="break-words" title={claude.path || undefined}>{words}</p>
        {claude.how && (
          <p className="break-words text-soft">
            <WithCode text={claude.how} />
          </p>
        )}
      </div>
    </div>
  )
}

/** WithCode shows what stands between backticks as what it is: something to type. */
function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, i) =>
    i % 2 === 1 ? (
      <code key={i} className="rounded-sm bg-hover px-1 font-mono text-text select-all">
        {part}
      </code>
    ) : (
      part
    ),
  )
}
