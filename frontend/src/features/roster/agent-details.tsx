import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { Agent, Binding, Rule } from '@/api'
import { formatCount, problemOf, texts, useHearth } from '@/core'
import { Button, ErrorNote, IconButton, RelativeTime, Spinner, useToast } from '@/ui'

/** AgentDetails are how an agent is set up, what it is always allowed, and which tools it has. */
export function AgentDetails({ agent: { binding, state } }: { agent: Agent }) {
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-2">
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-small">
        <Fact name={texts.agent.runtime} value={texts.agent.runtimes[binding.runtime] + (state.client_version ? ' ' + state.client_version : '')} />
        <Fact name={texts.agent.mode} value={texts.agent.modes[binding.permission_mode]} />
        {binding.base_url && <Fact name={texts.agent.baseUrl} value={binding.base_url} />}
        {binding.model && <Fact name={texts.roster.model} value={binding.model} />}
        {binding.role === 'coordinator' && binding.workers.length > 0 && <Fact name={texts.economy.workersFact} value={binding.workers.map((w) => w.name).join(texts.common.and)} />}
        <Fact name={texts.economy.spillFact} value={binding.spill_over === 0 ? texts.economy.spillNever : texts.economy.spillOver(formatCount(binding.spill_over))} />
        {state.since && (
          <>
            <dt className="text-soft">{texts.roster.since(texts.roster.phase[state.phase])}</dt>
            <dd><RelativeTime time={state.since} /></dd>
          </>
        )}
      </dl>
      <Rules binding={binding} />
      {state.tools.length > 0 && <Tools names={state.tools} />}
    </div>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words" dir="auto">{value}</dd>
    </>
  )
}

/** Rules are what an agent is always allowed; each can be taken back. */
function Rules({ binding }: { binding: Binding }) {
  const hearth = useHearth()
  const rules = useQuery({ queryKey: ['rules', binding.id], queryFn: ({ signal }) => hearth.api.rules(binding.id, { signal }), staleTime: 0 })
  return (
    <section aria-label={texts.roster.rules}>
      <h5 className="text-small font-medium">{texts.roster.rules}</h5>
      {rules.isPending && <Spinner className="my-1 size-3" />}
      {rules.isError && (
        <ErrorNote className="my-1" action={<Button size="sm" onClick={() => void rules.refetch()}>{texts.common.tryAgain}</Button>}>
          {problemOf(rules.error).message}
        </ErrorNote>
      )}
      {rules.data?.length === 0 && <p className="text-small text-soft">{texts.roster.noRules}</p>}
      {rules.data && rules.data.length > 0 && (
        <ul>
          {rules.data.map((rule) => (
            <RuleLine key={rule.id} rule={rule} handle={binding.handle} />
          ))}
        </ul>
      )}
    </section>
  )
}

function RuleLine({ rule, handle }: { rule: Rule; handle: string }) {
  const hearth = useHearth()
  const toast = useToast()
  const queries = useQueryClient()
  const name = rule.text || texts.roster.exact(rule.tool)
  const takeBack = useMutation({
    mutationFn: () => hearth.api.removeRule(rule.binding_id, rule.id),
    onSuccess: () => toast({ message: texts.roster.tookBack(handle, name), duration: 4000 }),
    onError: (error) => toast({ message: problemOf(error).message, tone: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['rules', rule.binding_id] }),
  })
  return (
    <li className="flex items-start gap-2">
      <div className="min-w-0 flex-1 py-0.5">
        <p className="font-mono text-[0.8125rem] leading-5 [overflow-wrap:anywhere]" dir="ltr">{name}</p>
        {rule.text === '' && rule.input !== undefined && (
          <p className="truncate font-mono text-small text-soft" dir="ltr" title={JSON.stringify(rule.input)}>{JSON.stringify(rule.input)}</p>
        )}
      </div>
      <RelativeTime time={rule.created_at} className="shrink-0 py-1 text-small text-soft" />
      <IconButton size="sm" label={texts.roster.takeBackOf(name)} aria-description={texts.roster.takeBackHint} disabled={takeBack.isPending} onClick={() => takeBack.mutate()}>
        <X size={14} aria-hidden />
      </IconButton>
    </li>
  )
}

/** Tools are the names of an agent's tools: the client's own, then those of each server. */
function Tools({ names }: { names: readonly string[] }) {
  const groups = new Map<string, string[]>()
  for (const name of names) {
    const [, server = '', tool = name] = /^mcp__(.+?)__(.+)$/.exec(name) ?? []
    groups.set(server, [...(groups.get(server) ?? []), tool])
  }
  return (
    <section aria-label={texts.roster.tools(names.length)}>
      <h5 className="text-small font-medium">{texts.roster.tools(names.length)}</h5>
      {[...groups].map(([server, tools]) => (
        <p key={server} className="text-small [overflow-wrap:anywhere] text-soft">
          <span>{server === '' ? texts.roster.ownTools : texts.roster.serverTools(server)}: </span>
          <span className="font-mono text-text">{tools.join(' · ')}</span>
        </p>
      ))}
    </section>
  )
}
