import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { Binding, Rule } from '@/api'
import { problemOf, texts, useHearth } from '@/core'
import { Button, ErrorNote, IconButton, RelativeTime, Spinner, useToast } from '@/ui'

/** AgentRules are what an agent is always allowed; each can be taken back. */
export function AgentRules({ binding }: { binding: Binding }) {
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
