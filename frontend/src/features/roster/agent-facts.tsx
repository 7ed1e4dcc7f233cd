import type { ReactNode } from 'react'
import type { Agent, AgentDetail } from '@/api'
import { formatCount, formatMemory, formatTokens, texts } from '@/core'
import { CopyIcon, RelativeTime, Tooltip } from '@/ui'

/** AgentFacts are how an agent is set up, and, as soon as that is known, its process and session. */
export function AgentFacts({ agent: { binding, state }, detail }: { agent: Agent; detail: AgentDetail | undefined }) {
  const process = detail?.process
  const session = detail?.session
  const coordinates = binding.role === 'coordinator'
  const hands = [...(binding.glance ? [texts.closely.glance] : []), ...binding.hands]
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-small">
      <Fact name={texts.agent.runtime}>{texts.agent.runtimes[binding.runtime] + (state.client_version ? ' ' + state.client_version : '')}</Fact>
      <Fact name={texts.agent.mode}>{texts.agent.modes[binding.permission_mode]}</Fact>
      {binding.base_url && <Fact name={texts.agent.baseUrl}>{binding.base_url}</Fact>}
      {(state.model || binding.model) && <Fact name={texts.roster.model}>{state.model || binding.model}</Fact>}
      <Fact name={texts.closely.role}>{coordinates ? texts.closely.coordinator : texts.closely.plain}</Fact>
      {coordinates && <Fact name={texts.closely.hands}>{hands.length > 0 ? hands.join(texts.common.and) : texts.closely.nothing}</Fact>}
      {coordinates && binding.workers.length > 0 && <Fact name={texts.economy.workersFact}>{binding.workers.map((w) => w.name).join(texts.common.and)}</Fact>}
      <Fact name={texts.economy.spillFact}>{binding.spill_over === 0 ? texts.economy.spillNever : texts.economy.spillOver(formatCount(binding.spill_over))}</Fact>
      {state.since && (
        <Fact name={texts.roster.since(texts.roster.phase[state.phase])}>
          <RelativeTime time={state.since} />
        </Fact>
      )}
      {process && (
        <>
          <Fact name={texts.closely.process}>
            <span className="tabular-nums">{texts.closely.since(process.pid)} <RelativeTime time={process.began_at} /></span>
          </Fact>
          <Fact name={texts.closely.memory}>
            {process.fault || (
              <Tooltip content={texts.closely.memoryHint}>
                <span className="tabular-nums">{texts.closely.memoryOf(formatMemory(process.memory_bytes), process.processes)}</span>
              </Tooltip>
            )}
          </Fact>
        </>
      )}
      {session && (
        <Fact name={session.saved ? texts.closely.savedSession : texts.closely.session}>
          <Native id={session.native} />
          <p className="text-soft tabular-nums">
            {texts.closely.sessionHolds(session.turns, session.context_tokens > 0 ? formatTokens(session.context_tokens) : '')}
            {session.turns > 0 && ': ' + texts.closely.sessionOf}
          </p>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]" dir="auto">{children}</dd>
    </>
  )
}

function Native({ id }: { id: string }) {
  return (
    <span className="flex items-start gap-1">
      <span className="min-w-0 font-mono [overflow-wrap:anywhere]" dir="ltr">{id}</span>
      <CopyIcon text={id} label={texts.closely.copySession} done={texts.common.copied} size={12} className="-my-1" />
    </span>
  )
}
