import { ChevronRight, Ellipsis, Flame, History, Pencil, RefreshCw, Square, UserMinus } from 'lucide-react'
import { useId, useState, type ReactElement, type ReactNode } from 'react'
import type { Agent, Forecast } from '@/api'
import { hasEnded, texts, useHearth, useSelect } from '@/core'
import { IdleRing, modelOf, Phase, SignIn, useAgentActions } from '@/features/agent'
import { Avatar, Button, cx, ErrorNote, IconButton, later, Menu, MenuItem, Tooltip } from '@/ui'
import { Outlook } from './outlook'
import { RemoveAgent } from './remove-agent'

const AgentDetails = later(() => import('./agent-details'))

/** AgentCard is an agent: how it is, what waits for it, what it holds, and what can be done to it. `forecast` is what is to be expected of it, once it has had a turn. */
export function AgentCard({ agent, forecast }: { agent: Agent; forecast: Forecast | undefined }) {
  const { binding, state } = agent
  const hearth = useHearth()
  const [open, setOpen] = useState(false)
  const [removing, setRemoving] = useState(false)
  const details = useId()
  const archived = useSelect((s) => Boolean(s.channels[binding.channel_id]?.archived_at))
  return (
    <article aria-label={binding.handle} className="flex flex-col gap-2 rounded-lg border border-line p-3">
      <header className="flex items-center gap-2">
        <Avatar name={binding.handle} agent />
        <div className="min-w-0 flex-1">
          <h4 className="truncate font-semibold" dir="auto" title={binding.handle}>{binding.handle}</h4>
          <p className="truncate text-small text-soft" title={modelOf(agent)}>{modelOf(agent)}</p>
        </div>
        <IdleRing state={state} />
        <Phase state={state} />
        <Menu
          align="end"
          label={texts.roster.actions(binding.handle)}
          trigger={
            <IconButton size="sm" label={texts.roster.actions(binding.handle)} className="-mr-1">
              <Ellipsis size={15} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => hearth.commands.run('agent.settings', binding.id)}>{texts.roster.edit}</MenuItem>
          <MenuItem danger icon={<UserMinus size={14} aria-hidden />} onSelect={() => setRemoving(true)}>{texts.roster.remove}</MenuItem>
        </Menu>
      </header>
      {!state.reachable && <ErrorNote>{texts.roster.unreachable}</ErrorNote>}
      {state.error && (
        <ErrorNote>
          <p>{state.error}</p>
          {state.phase === 'crashed' && <p className="mt-1">{state.restorable ? texts.closely.crashed : texts.closely.crashedAnew}</p>}
        </ErrorNote>
      )}
      <Facts agent={agent} />
      <SignIn binding={binding} />
      {forecast && <Outlook agent={agent} forecast={forecast} />}
      {!archived && <Actions agent={agent} />}
      <button
        type="button"
        aria-expanded={open}
        aria-controls={details}
        aria-label={texts.roster.more(binding.handle)}
        onClick={() => setOpen(!open)}
        className="-mx-1 flex items-center gap-1 self-start rounded-sm px-1 text-small text-soft hover:bg-hover hover:text-text"
      >
        <ChevronRight size={12} aria-hidden className={cx('transition-transform', open && 'rotate-90')} />
        {texts.roster.details}
      </button>
      <div id={details} hidden={!open}>{open && <AgentDetails agent={agent} />}</div>
      <RemoveAgent binding={binding} open={removing} onOpenChange={setRemoving} />
    </article>
  )
}

/** Facts are what is so with an agent besides its state; nothing where there is nothing to say. */
function Facts({ agent }: { agent: Agent }) {
  const { binding, state } = agent
  const armed = agent.state.restoring !== ''
  const held = useSelect((s) => s.runPages[binding.channel_id] !== undefined)
  const going = useSelect((s) => Object.values(s.runs).filter((r) => r.binding_id === binding.id && !hasEnded(r) && r.state !== 'running').length)
  const asking = useSelect((s) => Object.values(s.permissions).filter((p) => p.binding_id === binding.id && p.state === 'open').length)
  // What the stream says of runs is newer than what it says of the agent.
  const queued = held ? going : state.queued
  const facts: ReactNode[] = [
    binding.role === 'coordinator' && texts.economy.facts(binding.workers.length),
    asking > 0 && <span className="text-amber">{texts.roster.asking(asking)}</span>,
    queued > 0 && texts.roster.queued(queued),
    state.background > 0 && texts.roster.background(state.background),
    armed && texts.roster.restoreArmed,
    binding.base_url !== '' && texts.roster.elsewhere(hostOf(binding.base_url)),
    !(binding.supervised && binding.resident) && texts.roster.notKept,
    binding.permission_mode === 'bypassPermissions' && <span className="text-amber">{texts.agent.modes.bypassPermissions}</span>,
  ].filter((fact) => fact !== false)
  if (facts.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-3 text-small text-soft">
      {facts.map((fact, i) => (
        <li key={i}>{fact}</li>
      ))}
    </ul>
  )
}

function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}

function Actions({ agent }: { agent: Agent }) {
  const { binding, state } = agent
  const { startFresh, stop, warm, restore } = useAgentActions()
  const armed = agent.state.restoring !== ''
  const keeps = binding.supervised && binding.resident && state.reachable
  const asleep = state.phase === 'cold' || state.phase === 'evicted' || state.phase === 'crashed'
  return (
    <div className="flex flex-wrap gap-2">
      <Act hint={texts.roster.startFreshHint} icon={<RefreshCw size={12} aria-hidden />} onClick={() => startFresh(agent)}>
        {texts.roster.startFresh}
      </Act>
      {state.run_id !== '' && (
        <Act icon={<Square size={11} aria-hidden className="fill-current" />} onClick={() => void stop(agent)}>
          {texts.roster.stop}
        </Act>
      )}
      {keeps && asleep && (
        <Act hint={texts.roster.warmHint} icon={<Flame size={12} aria-hidden />} onClick={() => void warm(agent)}>
          {texts.roster.warm}
        </Act>
      )}
      {keeps && asleep && state.restorable !== '' && !armed && (
        <Act hint={texts.roster.restoreHint} icon={<History size={12} aria-hidden />} onClick={() => void restore(agent)}>
          {texts.roster.restore}
        </Act>
      )}
    </div>
  )
}

function Act({ hint, icon, onClick, children }: { hint?: string; icon: ReactElement; onClick: () => void; children: string }) {
  const button = (
    <Button size="sm" icon={icon} onClick={onClick}>
      {children}
    </Button>
  )
  return hint ? <Tooltip content={hint}>{button}</Tooltip> : button
}
