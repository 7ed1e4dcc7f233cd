import { useQuery } from '@tanstack/react-query'
import { formatCount, formatDuration, formatMoney, hasEnded, problemOf, texts, useHearth, useSelect } from '@/core'
import { ErrorNote, Loading, RelativeTime } from '@/ui'
import { tookOf } from './figures'
import { StepList } from './step-list'

/** RunDetail is one run in the detail panel: its figures and its steps. */
export function RunDetail({ runId }: { runId: string }) {
  const hearth = useHearth()
  const run = useSelect((s) => s.runs[runId])
  const live = useSelect((s) => s.live[runId])
  const detail = useQuery({
    // Fetched again when it has ended: then it is whole.
    queryKey: ['run', runId, run ? hasEnded(run) : false],
    queryFn: async ({ signal }) => {
      const detail = await hearth.api.run(runId, { signal })
      hearth.store.dispatch({ type: 'run.loaded', detail })
      return detail
    },
  })
  if (detail.isError && !run) return <ErrorNote className="m-4">{problemOf(detail.error).message}</ErrorNote>
  if (!run) return <Loading />
  const took = tookOf(run)
  const { usage } = run
  const rows: [string, string][] = [
    [texts.run.footer.read(''), formatCount(usage.cache_read_tokens)],
    [texts.run.footer.wrote(''), formatCount(usage.cache_write_5m_tokens + usage.cache_write_1h_tokens)],
    [texts.run.footer.fresh(''), formatCount(usage.input_tokens)],
    [texts.run.cost, formatMoney(usage.cost_usd)],
  ]
  if (took !== undefined) rows.unshift([texts.run.took, formatDuration(took)])
  return (
    <div className="flex flex-col gap-4 p-4">
      <p className="text-soft">
          {texts.run.state[run.state]}
          {run.temperature !== '' && ` · ${texts.run.temperature[run.temperature]}`} · <RelativeTime time={run.started_at ?? run.queued_at} />
        </p>
      {run.failure && <ErrorNote>{run.failure.message}</ErrorNote>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <StepList steps={live?.steps ?? detail.data?.steps ?? []} going={!hasEnded(run)} />
    </div>
  )
}
