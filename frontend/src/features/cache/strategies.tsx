import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Agent, Strategies as Report, StrategyCosts } from '@/api'
import { formatCount, formatShare, problemOf, texts } from '@/core'
import { Button, ErrorNote, Segmented, Spinner, useNow } from '@/ui'
import type { Column } from './columns'
import { Figure } from './figure'
import { useComparison } from './use-cache'

const { cache } = texts

type Way = keyof Report['strategies']
const ways = ['window', 'watermark', 'unstable', 'hearth'] as const satisfies readonly Way[]

interface Row {
  way: Way
  costs: StrategyCosts
}

/** shownOf writes a figure of a comparison as it is meant. */
const shownOf = (key: keyof StrategyCosts, n: number): string => (key === 'cacheable_ratio' ? formatShare(n) : formatCount(n))

const keys = Object.keys(cache.costs) as (keyof StrategyCosts)[]
const columns: readonly Column<Row>[] = [
  { key: 'strategy', title: cache.way, of: (r) => r.way, show: (r) => cache.ways4[r.way] },
  ...keys.map((key): Column<Row> => ({ key, title: cache.costs[key], of: (r) => r.costs[key], show: (r) => shownOf(key, r.costs[key]) })),
]

/** Strategies lets the channel be played again, and compares what each way of telling an agent of it would have sent. */
export function Strategies({ channelId, agents, bindingId }: { channelId: string; agents: readonly Agent[]; bindingId: string }) {
  const [wanted, setWanted] = useState('')
  const { since, compare, cancel, ...state } = useComparison(channelId)
  const agent = agents.find((a) => a.binding.id === (wanted || bindingId)) ?? agents[0]
  if (!agent) return null
  const { handle, id } = agent.binding
  const choose = (binding: string) => {
    cancel()
    setWanted(binding)
  }
  return (
    <section aria-label={cache.strategies} className="flex flex-col gap-2">
      <h3 className="text-large font-semibold">{cache.strategies}</h3>
      <p className="text-small text-soft">{cache.strategiesHint}</p>
      {agents.length > 1 && (
        <Segmented label={cache.agentOf} value={id} onChange={choose} options={agents.map(({ binding }) => ({ value: binding.id, text: '@' + binding.handle }))} />
      )}
      <div className="flex min-h-8 flex-wrap items-center gap-3">
        {state.isPending ? (
          <>
            <Spinner />
            <Elapsed since={since} handle={handle} />
            <Button size="sm" onClick={cancel}>{cache.cancel}</Button>
          </>
        ) : (
          <Button onClick={() => compare(id)}>{state.data ? cache.again : cache.compare}</Button>
        )}
      </div>
      {state.isError && <ErrorNote>{problemOf(state.error).message}</ErrorNote>}
      {state.data && <Comparison report={state.data} />}
      <p className="text-small text-soft">{cache.limits}</p>
    </section>
  )
}

/** Elapsed says how long it has been going on, and that once aloud. */
function Elapsed({ since, handle }: { since: number; handle: string }) {
  const now = useNow('second')
  return <span role="status" aria-live="off">{cache.comparing(handle, Math.max(0, Math.round((now - since) / 1000)))}</span>
}

function Comparison({ report }: { report: Report }) {
  const { channel = '' } = useParams({ strict: false })
  const rows = ways.map((way): Row => ({ way, costs: report.strategies[way] }))
  const most = Math.max(1, ...rows.map((r) => r.costs.uncached_per_warm_turn))
  return (
    <Figure
      title={cache.costs.uncached_per_warm_turn}
      columns={columns}
      rows={rows}
      keyOf={(r) => r.way}
      name={[channel, report.channel.agent, 'strategies']}
      json={() => report}
      hint={`${cache.played(formatCount(report.channel.rows), report.channel.mentions)} ${report.channel.older ? cache.olderLeftOut : ''}`}
    >
      <ul className="flex flex-col gap-2">
        {rows.map(({ way, costs }) => (
          <li key={way}>
            <p className="flex items-baseline gap-2">
              <span className="font-medium">{cache.ways4[way]}</span>
              <span className="min-w-0 flex-1 text-small text-soft">{cache.ways4Hint[way]}</span>
              <span>{formatCount(Math.round(costs.uncached_per_warm_turn))}</span>
            </p>
            <div
              aria-hidden
              data-series={way === 'hearth' ? 'written' : 'read'}
              className="keep-colour h-2 rounded-sm bg-(--series)"
              style={{ width: `max(2px, ${(100 * costs.uncached_per_warm_turn) / most}%)` }}
            />
            <p className="text-small text-soft">
              {cache.costs.cacheable_ratio}: {formatShare(costs.cacheable_ratio)} · {cache.costs.already_seen_tokens}: {formatCount(costs.already_seen_tokens)}
            </p>
          </li>
        ))}
      </ul>
    </Figure>
  )
}
