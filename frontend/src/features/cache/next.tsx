import { useParams } from '@tanstack/react-router'
import type { Cache, CacheForecast } from '@/api'
import { formatCount, formatMoney, texts, whenOf } from '@/core'
import type { Column } from './columns'
import { ContextChart } from './context-chart'
import { DataTable } from './data-table'
import { Figure } from './figure'
import { heldOf, writtenOf, type Held } from './figures'

const { cache } = texts

/** So many agents are drawn where none is chosen. */
const mostDrawn = 3

/** Next is how much each agent's conversation holds, how it goes on, and what its next turn will cost. */
export function Next({ newest }: { newest: Cache }) {
  const order = new Map(newest.turns.toReversed().map((turn, i) => [turn.binding_id, i]))
  // Who had a turn last goes first.
  const all = newest.forecasts.toSorted((a, b) => (order.get(b.binding_id) ?? -1) - (order.get(a.binding_id) ?? -1))
  const drawn = all.slice(0, mostDrawn)
  if (drawn.length === 0) return null
  return (
    <section aria-label={cache.next} className="flex flex-col gap-4">
      <div>
        <h3 className="text-large font-semibold">{cache.next}</h3>
        <p className="text-small text-soft">{cache.nextHint}</p>
      </div>
      {drawn.map((forecast) => (
        <div key={forecast.binding_id} className="flex flex-col gap-4 @3xl:grid @3xl:grid-cols-2 @3xl:items-start">
          <Context forecast={forecast} held={heldOf(newest.turns, forecast.binding_id)} />
          <Price forecast={forecast} />
        </div>
      ))}
      {all.length > drawn.length && <p className="text-small text-soft">{cache.nextMore(all.length - drawn.length)}</p>}
    </section>
  )
}

const contextColumns: readonly Column<Held>[] = [
  { key: 'ended_at', title: cache.figures.when, of: (h) => h.turn.ended_at, show: (h) => whenOf(h.turn.ended_at) },
  { key: 'context_tokens', title: cache.figures.context, of: (h) => h.context, show: (h) => formatCount(h.context) },
  { key: 'context_window_tokens', title: cache.figures.window, of: (h) => h.turn.context_window_tokens || undefined, show: (h) => (h.turn.context_window_tokens ? formatCount(h.turn.context_window_tokens) : '') },
  { key: 'run_id', title: cache.figures.run, of: (h) => h.turn.run_id },
]

function Context({ forecast, held }: { forecast: CacheForecast; held: readonly Held[] }) {
  const { channel = '' } = useParams({ strict: false })
  return (
    <Figure
      title={cache.contextTitle(forecast.handle)}
      columns={contextColumns}
      rows={held}
      keyOf={(h) => h.turn.run_id}
      name={[channel, forecast.handle, 'context']}
      json={() => forecast}
      hint={<span className="flex flex-col">{saidOf(forecast).map((line) => <span key={line}>{line}</span>)}</span>}
    >
      {held.length > 0 && <ContextChart forecast={forecast} held={held} />}
    </Figure>
  )
}

/** saidOf is a forecast in sentences. */
export function saidOf(f: CacheForecast): string[] {
  const out = [f.context_tokens > 0 ? cache.holds(formatCount(f.context_tokens), f.context_window_tokens > 0 ? formatCount(f.context_window_tokens) : '') : cache.holdsUnknown]
  out.push(f.trend ? cache.grows(whole(f.trend.estimated_tokens_per_turn), whole(f.trend.low), whole(f.trend.high), f.trend.turns) : cache.growsUnknown)
  if (f.turns_left === 0) out.push(cache.left0(formatCount(f.line_tokens)))
  else if (f.turns_left !== undefined) out.push(cache.leftTurns(f.turns_left, formatCount(f.line_tokens), formatCount(f.warn_tokens)))
  else if (f.trend && f.trend.estimated_tokens_per_turn <= 0) out.push(cache.noGrowth)
  return out
}

const whole = (n: number) => formatCount(Math.round(n))

type Way = 'warm' | 'restored' | 'fresh'
interface Priced {
  way: Way
  estimate: NonNullable<CacheForecast[Way]>
}

const about = (key: string, title: string, of: (p: Priced) => number): Column<Priced> => ({ key, title, of, show: (p) => cache.about(formatCount(of(p))) })
const priceColumns: readonly Column<Priced>[] = [
  { key: 'way', title: cache.figures.temperature, of: (p) => p.way, show: (p) => cache.ways[p.way] },
  {
    key: 'estimated_cost_usd', title: cache.figures.cost, of: (p) => p.estimate.estimated_cost_usd,
    show: (p) => (p.estimate.estimated_cost_usd === undefined ? '' : cache.about(formatMoney(p.estimate.estimated_cost_usd))),
  },
  about('estimated_cache_read_tokens', cache.figures.read, (p) => p.estimate.estimated_tokens.cache_read_tokens),
  about('estimated_cache_write_tokens', cache.figures.written, (p) => writtenOf(p.estimate.estimated_tokens)),
  about('estimated_input_tokens', cache.figures.fresh, (p) => p.estimate.estimated_tokens.input_tokens),
  about('estimated_output_tokens', cache.figures.output, (p) => p.estimate.estimated_tokens.output_tokens),
]

function Price({ forecast: f }: { forecast: CacheForecast }) {
  const rows = (['warm', 'restored', 'fresh'] as const).flatMap((way): Priced[] => (f[way] ? [{ way, estimate: f[way] }] : []))
  const hint = (way: Way) => (way === 'warm' && !f.cache_lives ? cache.waysHint.warmExpired : cache.waysHint[way])
  const title = cache.price(f.handle)
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h4 className="text-title font-semibold break-words" dir="auto">{title}</h4>
      {rows.length === 0 ? <p className="text-soft">{cache.priceUnknown}</p> : <DataTable label={title} columns={priceColumns} rows={rows} keyOf={(p) => p.way} />}
      {rows.length > 0 && (
        <ul className="text-small text-soft">
          {rows.map(({ way }) => (
            <li key={way}>{cache.ways[way]}: {hint(way)}</li>
          ))}
        </ul>
      )}
      <p className="text-small text-soft">{!f.rates ? rows.length > 0 && cache.noRates : f.rates.source === 'fitted' ? cache.fitted(f.rates.points ?? 0) : cache.ofTable(f.rates.as_of ?? '')}</p>
    </section>
  )
}
