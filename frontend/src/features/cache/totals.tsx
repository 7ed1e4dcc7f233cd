import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { CacheSum, CacheTotals, Tokens } from '@/api'
import { formatCount, formatShare, texts } from '@/core'
import { Segmented } from '@/ui'
import type { Column } from './columns'
import { DataTable } from './data-table'
import { DaysChart, type Day, type Measure } from './days-chart'
import { Figure } from './figure'
import { costOf, costText, sentOf, usedOf, writtenOf } from './figures'

const { cache } = texts
const { figures } = cache

/** The periods that sums can be of, in days. */
export const periods = ['7', '30', '90', '366'] as const
export type Period = (typeof periods)[number]

export interface TotalsProps {
  totals: CacheTotals
  period: Period
  onPeriod: (period: Period) => void
}

/** Totals are what a channel's turns used and cost on some days: by day, agent and model, and by who sent it. */
export function Totals({ totals, period, onPeriod }: TotalsProps) {
  const { channel = '' } = useParams({ strict: false })
  const [wanted, setWanted] = useState<Measure>()
  const measure = wanted ?? (totals.all.cost_usd > 0 ? 'money' : 'tokens')
  const { main, subagents, beside } = totals.all
  return (
    <section aria-label={cache.totals} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="min-w-0 flex-1 text-large font-semibold">{cache.totals}</h3>
        <Segmented label={cache.period} value={period} onChange={onPeriod} options={periods.map((value) => ({ value, text: cache.periods[value] }))} />
        <p className="w-full text-small text-soft">{cache.totalsHint}</p>
      </div>
      <Figure
        title={cache.byDay}
        columns={dayColumns}
        rows={totals.days}
        keyOf={(d) => d.day}
        name={[channel, 'days']}
        json={() => totals}
        controls={<Segmented label={cache.measure} value={measure} onChange={setWanted} options={[{ value: 'money', text: cache.money }, { value: 'tokens', text: cache.tokens }]} />}
      >
        <DaysChart days={totals.days} measure={measure} />
      </Figure>
      <div className="flex flex-col gap-4">
        <Part title={cache.byAgent}>
          <DataTable label={cache.byAgent} columns={agentColumns} rows={[...totals.agents.map(agentRow), { name: cache.sum, sum: totals.all }]} keyOf={(r) => r.name} />
        </Part>
        <Part title={cache.bySender}>
          <DataTable label={cache.bySender} columns={senderColumns} rows={[{ name: cache.senders.main, tokens: main }, { name: cache.senders.subagents, tokens: subagents }, { name: cache.senders.beside, tokens: beside }]} keyOf={(r) => r.name} />
        </Part>
        {totals.models.length > 0 && (
          <Part title={cache.byModel}>
            <DataTable label={cache.byModel} columns={modelColumns} rows={totals.models} keyOf={(m) => m.model} />
          </Part>
        )}
      </div>
    </section>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1">
      <h4 className="font-semibold">{title}</h4>
      {children}
    </section>
  )
}

const number = <T,>(key: string, title: string, of: (row: T) => number): Column<T> => ({ key, title, of, show: (row) => formatCount(of(row)) })
const costs = <T,>(of: (row: T) => Pick<CacheSum, 'cost_usd' | 'unpriced_turns'>): Column<T>[] => [
  { key: 'cost_usd', title: figures.cost, of: (row) => costOf(of(row)), show: (row) => costText(of(row)) },
  { key: 'unpriced_turns', title: figures.unpriced, of: (row) => of(row).unpriced_turns, show: (row) => (of(row).unpriced_turns > 0 ? formatCount(of(row).unpriced_turns) : '') },
]

const tokenColumns = <T,>(of: (row: T) => Tokens): Column<T>[] => [
  number('cache_read_tokens', figures.read, (row) => of(row).cache_read_tokens),
  number('cache_write_tokens', figures.written, (row) => writtenOf(of(row))),
  number('input_tokens', figures.fresh, (row) => of(row).input_tokens),
  number('output_tokens', figures.output, (row) => of(row).output_tokens),
]

const sumColumns = <T,>(of: (row: T) => CacheSum): Column<T>[] => [
  number('turns', figures.turns, (row) => of(row).turns),
  ...costs(of),
  ...tokenColumns((row: T) => of(row).main),
  { key: 'read_ratio', title: figures.ratio, of: (row) => of(row).read_ratio, show: (row) => ratioOf(of(row)) },
  number('subagent_tokens', figures.subagents, (row) => usedOf(of(row).subagents)),
  number('beside_tokens', figures.beside, (row) => usedOf(of(row).beside)),
]

const ratioOf = (sum: CacheSum) => (sum.read_ratio === undefined ? '' : formatShare(sum.read_ratio))

const dayColumns: readonly Column<Day>[] = [{ key: 'day', title: figures.day, of: (d) => d.day }, ...sumColumns((d: Day) => d)]

interface AgentRow {
  name: string
  sum: CacheSum
}
const agentRow = (a: CacheTotals['agents'][number]): AgentRow => ({ name: a.removed ? cache.removed(a.handle) : '@' + a.handle, sum: a })
const agentColumns: readonly Column<AgentRow>[] = [{ key: 'agent', title: figures.agent, of: (r) => r.name }, ...sumColumns((r: AgentRow) => r.sum)]

type Model = CacheTotals['models'][number]
const modelColumns: readonly Column<Model>[] = [
  { key: 'model', title: figures.model, of: (m) => m.model || cache.noModel },
  number('turns', figures.turns, (m) => m.turns),
  ...costs((m: Model) => m),
  ...tokenColumns((m: Model) => m),
]

interface SenderRow {
  name: string
  tokens: Tokens
}
const senderColumns: readonly Column<SenderRow>[] = [
  { key: 'sender', title: cache.bySender, of: (r) => r.name },
  ...tokenColumns((r: SenderRow) => r.tokens),
  {
    key: 'read_ratio', title: figures.ratio, of: (r) => (sentOf(r.tokens) > 0 ? r.tokens.cache_read_tokens / sentOf(r.tokens) : undefined),
    show: (r) => (sentOf(r.tokens) > 0 ? formatShare(r.tokens.cache_read_tokens / sentOf(r.tokens)) : ''),
  },
]
