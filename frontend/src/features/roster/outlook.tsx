import type { Agent, Forecast } from '@/api'
import { formatTokens, texts } from '@/core'
import { priceOf } from '@/features/agent'
import { cx, Tooltip } from '@/ui'

/** Outlook is what an agent's conversation holds, and what its next turn is likely to cost in each case; nothing before its first turn. */
export function Outlook({ agent: { state }, forecast }: { agent: Agent; forecast: Forecast }) {
  const holding = (state.native || state.restorable) === forecast.native && forecast.native !== ''
  const prices = pricesOf(forecast, holding && state.native !== '', holding && state.native === '')
  return (
    <>
      {holding && forecast.context_tokens > 0 && forecast.context_window_tokens > 0 && <ContextBar forecast={forecast} />}
      {prices.length > 0 && (
        <Tooltip content={texts.closely.estimateHint}>
          <p className="self-start text-small text-soft tabular-nums">{texts.closely.next(prices.join(texts.common.and))}</p>
        </Tooltip>
      )}
    </>
  )
}

function pricesOf(forecast: Forecast, living: boolean, saved: boolean): string[] {
  const all: [string, string][] = [
    [texts.closely.going, living ? priceOf(forecast.warm) : ''],
    [texts.closely.restored, saved ? priceOf(forecast.restored) : ''],
    [texts.closely.fresh, priceOf(forecast.fresh)],
  ]
  return all.filter(([, price]) => price !== '').map(([name, price]) => `${price} ${name}`)
}

/** ContextBar shows how full a conversation is, with a mark where it is to be handed off. */
function ContextBar({ forecast: f }: { forecast: Forecast }) {
  const share = (n: number) => `${Math.min(100, (100 * n) / f.context_window_tokens).toFixed(2)}%`
  const late = f.line_tokens > 0 && f.context_tokens >= f.line_tokens
  const near = !late && f.warn_tokens > 0 && f.context_tokens >= f.warn_tokens
  const words = [
    texts.closely.holds(formatTokens(f.context_tokens), formatTokens(f.context_window_tokens)),
    f.line_tokens > 0 ? texts.closely.handoff(formatTokens(f.line_tokens)) : '',
    late ? texts.closely.reached : near ? texts.closely.nearing : f.turns_left ? texts.closely.turnsLeft(f.turns_left) : '',
  ].filter(Boolean).join(', ')
  return (
    <Tooltip content={texts.closely.contextHint}>
      <div>
        <div aria-hidden className="relative h-1.5 rounded-full bg-hover">
          <div className={cx('h-full rounded-full', late ? 'bg-red' : near ? 'bg-amber' : 'bg-soft')} style={{ width: share(f.context_tokens) }} />
          {f.line_tokens > 0 && <div className="absolute -top-0.5 h-2.5 w-0.5 rounded-full bg-text" style={{ left: share(f.line_tokens) }} />}
        </div>
        <p className={cx('mt-1 text-small tabular-nums', late ? 'text-red' : near ? 'text-amber' : 'text-soft')}>{words}</p>
      </div>
    </Tooltip>
  )
}
