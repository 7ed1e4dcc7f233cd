import { useMemo } from 'react'
import type { Agent, Run } from '@/api'
import { formatCount, glanceOf, texts, useSelect, whenOf } from '@/core'
import { Dot } from '@/ui'
import { asksOf, newsOf, standingOf, teacherOf, toldBy, type Standing } from './knowledge'
import { useAsked, useFraming, useTurn } from './use-turn'

/** KnowledgeLine says in a sentence what an agent's session knows of the channel now. */
export function KnowledgeLine({ agent }: { agent: Agent }) {
  const { binding, state } = agent
  const { handle } = binding
  const asked = useAsked(binding)
  const runs = useSelect((s) => s.runs)
  const asks = useMemo(() => asksOf(runs, binding), [runs, binding])
  const { standing, native } = standingOf(agent, asks)
  const teacher = teacherOf(asks, native)
  if (!asked) return null
  const { context } = texts
  const knows = standing === 'living' || standing === 'restoring'
  return (
    <p className="flex gap-2" dir="auto">
      <span className="flex h-[1.375rem] items-center">
        <Dot tone={glanceOf(state)} label={texts.roster.phase[state.phase]} />
      </span>
      <span className="min-w-0 break-words">
        {!knows && sentences[standing](handle)}
        {!knows && standing === 'gone' && state.restorable !== '' && ` ${context.saved}`}
        {standing === 'restoring' && `${context.restoring(handle)} `}
        {knows && <Known agent={agent} asks={asks} teacher={teacher} whole={asked.whole} />}
      </span>
    </p>
  )
}

const sentences: Record<Exclude<Standing, 'living' | 'restoring'>, (handle: string) => string> = {
  gone: texts.context.gone, fresh: texts.context.goneFresh, never: texts.context.never, each: texts.context.each,
}

interface KnownProps {
  agent: Agent
  asks: readonly Run[]
  teacher: Run | undefined
  /** All turns since Start fresh are held. */
  whole: boolean
}

function Known({ agent, asks, teacher, whole }: KnownProps) {
  const { binding } = agent
  const { data } = useTurn(teacher?.id)
  const framing = useFraming(teacher)
  const told = useMemo(() => toldBy(teacher, data?.sent), [teacher, data])
  const news = useSelect((s) => newsOf(s, binding.channel_id, binding.id, told), (a, b) => a.count === b.count && a.atLeast === b.atLeast)
  const { context } = texts
  if (!teacher) return context.ready(binding.handle)
  if (!data) return null
  if (teacher.state === 'running' && told.ids.size === 0) return context.begins(binding.handle)
  return (
    <>
      {context.knows({
        handle: binding.handle, rows: told.ids.size, atLeast: told.atLeast, upTo: told.upTo ? whenOf(told.upTo) : '',
        tokens: framing ? formatCount(framing.tokens) : '', asked: asks.length, askedAtLeast: !whole, fresh: binding.fresh_at !== undefined,
      })}{' '}
      <span className="text-soft">
        {news.count > 0 && `${context.waiting(news.count, news.atLeast)} `}
        {agent.state.phase === 'busy' && context.busy}
      </span>
    </>
  )
}
