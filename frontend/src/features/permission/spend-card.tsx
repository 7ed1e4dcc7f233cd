import { useMutation } from '@tanstack/react-query'
import type { Permission, Verdict } from '@/api'
import { handleOf, problemOf, texts, useHearth, useSelect } from '@/core'
import { Button, Dot, ErrorNote, RelativeTime } from '@/ui'
import { asksOf, spendingOf } from './spend'

/** SpendCard asks whether a turn may begin although the channel's limit of today is reached. It never takes the focus by itself. */
export function SpendCard({ permission }: { permission: Permission }) {
  const hearth = useHearth()
  const handle = useSelect((s) => handleOf(s, permission.binding_id)) ?? texts.run.ofAgent
  const answer = useMutation({ mutationFn: (verdict: Verdict) => hearth.answer(permission.id, verdict) })
  const conflict = answer.isError && problemOf(answer.error).code === 'conflict'
  const spending = spendingOf(permission)
  const [today = ''] = permission.rules
  return (
    <section
      aria-label={asksOf(handle, permission)}
      data-permission={permission.id}
      tabIndex={-1}
      className="flex flex-col gap-2 rounded-lg border border-edge bg-raised p-3"
    >
      <header className="flex flex-wrap items-center gap-x-2">
        <Dot tone="asks" />
        <h2 className="font-semibold break-words">{asksOf(handle, permission)}</h2>
        {spending && <span className="text-amber tabular-nums">{texts.spend.of(spending.spent, spending.limit)}</span>}
        <RelativeTime time={permission.asked_at} className="ml-auto shrink-0 text-small text-soft" />
      </header>
      <p className="text-soft">{texts.spend.nothingBegun}</p>
      {answer.isError && <ErrorNote tone={conflict ? 'amber' : 'red'}>{conflict ? texts.permission.answeredElsewhere : problemOf(answer.error).message}</ErrorNote>}
      <div className="flex flex-wrap items-center gap-2">
        <Button tone="main" busy={answer.isPending} onClick={() => answer.mutate({ decision: 'allow' })}>
          {texts.spend.once}
        </Button>
        <Button disabled={answer.isPending} onClick={() => answer.mutate({ decision: 'always', ...(today ? { rule: today } : {}) })}>
          {texts.spend.today}
        </Button>
        <Button disabled={answer.isPending} onClick={() => answer.mutate({ decision: 'deny' })}>
          {texts.spend.leave}
        </Button>
      </div>
    </section>
  )
}
