import type { Binding, Setup } from '@/api'
import { texts } from '@/core'
import { Choice, TextField } from '@/ui'

export type AgentKind = 'claude' | 'standin' | 'none'
export interface NewAgent {
  kind: AgentKind
  /** As it was written; empty: the usual one of its kind. */
  handle: string
}

export const runtimes: Record<'claude' | 'standin', Binding['runtime']> = { claude: 'cli:claude:agent', standin: 'cli:standin:agent' }

/** usual is how an agent is that nobody has changed yet; the rest its settings offer. */
export const usual = { resident: true, supervised: true, role: 'plain', glance: true, spill_over: 4000 } as const

export const handleOfNew = (agent: NewAgent): string => agent.handle.trim().replace(/^@/, '') || agent.kind

/** usualAgent is Claude Code where it was found, and the stand-in otherwise. */
export const usualAgent = (setup: Setup | undefined): NewAgent => ({ kind: setup && !setup.claude.found ? 'standin' : 'claude', handle: '' })

export interface AgentChoiceProps {
  label: string
  value: NewAgent
  kinds: readonly AgentKind[]
  setup: Setup | undefined
  problem?: string | undefined
  onChange: (agent: NewAgent) => void
}

/** AgentChoice is which agent to begin with, and what it is called. */
export function AgentChoice({ label, value, kinds, setup, problem, onChange }: AgentChoiceProps) {
  const missing = value.kind === 'claude' && setup?.claude.found === false
  return (
    <>
      <Choice
        label={label}
        value={value.kind}
        options={kinds.map((kind) => ({ value: kind, text: texts.channels.agentKinds[kind] }))}
        onChange={(kind) => onChange({ ...value, kind })}
        hint={missing ? texts.channels.agentMissing : kinds.includes('none') ? texts.channels.firstAgentHint : undefined}
      />
      {value.kind !== 'none' && (
        <TextField
          label={texts.channels.handle}
          hint={texts.channels.handleHint}
          value={value.handle}
          placeholder={value.kind}
          maxLength={41}
          problem={problem}
          onChange={(event) => onChange({ ...value, handle: event.target.value })}
        />
      )}
    </>
  )
}
