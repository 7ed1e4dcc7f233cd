import type { AgentDetail, Estimate } from '@/api'
import { formatMoney, formatTokens, texts } from '@/core'
import { Part } from './part'

/** AgentNext is what an agent's next turn is likely to use in each case. All of it is estimated, and said to be. */
export function AgentNext({ detail: { forecast, session } }: { detail: AgentDetail }) {
  const holding = session !== undefined && session.turns > 0 && forecast?.native === session.native
  const cases: [string, Estimate | undefined][] = [
    [texts.closely.going, holding && !session.saved ? forecast.warm : undefined],
    [texts.closely.restored, holding ? forecast.restored : undefined],
    [texts.closely.fresh, forecast?.fresh],
  ]
  const known = cases.filter((c): c is [string, Estimate] => c[1] !== undefined)
  if (!forecast || known.length === 0) return null
  const { rates } = forecast
  return (
    <Part title={texts.closely.comesNext}>
      <table className="w-full text-small tabular-nums">
        <thead className="text-soft">
          <tr>
            <th scope="col" className="text-left font-normal">{texts.closely.situation}</th>
            {[texts.closely.read, texts.closely.written, texts.closely.anew, texts.closely.cost].map((name) => (
              <th key={name} scope="col" className="text-right font-normal">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {known.map(([name, { estimated_tokens: t, estimated_cost_usd: cost }]) => (
            <tr key={name}>
              <th scope="row" className="text-left font-normal">{name}</th>
              <td className="text-right">{formatTokens(t.cache_read_tokens)}</td>
              <td className="text-right">{formatTokens(t.cache_write_5m_tokens + t.cache_write_1h_tokens)}</td>
              <td className="text-right">{formatTokens(t.input_tokens)}</td>
              <td className="text-right">{cost === undefined ? '–' : formatMoney(cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {holding && !forecast.cache_lives && <p className="text-small text-soft">{texts.closely.expired}</p>}
      <p className="text-small text-soft">
        {!rates ? texts.closely.noPrice : rates.source === 'fitted' ? texts.closely.fitted(rates.points ?? 0) : texts.closely.table(rates.as_of ?? '')}
      </p>
    </Part>
  )
}
