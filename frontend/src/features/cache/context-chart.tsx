import { scaleLinear } from '@visx/scale'
import { LinePath } from '@visx/shape'
import { useState } from 'react'
import type { CacheForecast } from '@/api'
import { formatCount, formatShare, formatTokens, texts, ticksOf, whenOf } from '@/core'
import { PointAxis, ValueAxis } from './axes'
import { foreseenOf, type Held } from './figures'
import { Plot } from './plot'

const height = 170
const margin = { top: 14, right: 14, bottom: 20, left: 44 }
/** So many turns are foreseen at most: further on an estimate says nothing. */
const mostForeseen = 20

/** spokenHeld is what a conversation held after a turn, in a sentence. */
export const spokenHeld = ({ turn, context }: Held): string =>
  texts.cache.oneContext({
    when: whenOf(turn.ended_at), context: formatCount(context),
    share: turn.context_window_tokens > 0 ? formatShare(context / turn.context_window_tokens) : '',
  })

/** ContextChart is how an agent's conversation grew, against what it can hold and where it is to be handed off; and how it is likely to go on. */
export function ContextChart({ forecast, held }: { forecast: CacheForecast; held: readonly Held[] }) {
  const [wanted, setWanted] = useState<string>()
  const known = held.findIndex((h) => h.turn.run_id === wanted)
  const chosen = known >= 0 ? known : held.length - 1
  const { context_window_tokens: window, line_tokens: line, warn_tokens: warn, trend } = forecast
  const last = held.at(-1)?.context ?? 0
  const foreseen = foreseenOf(last, trend?.estimated_tokens_per_turn ?? 0, line, Math.min(mostForeseen, Math.max(4, held.length)))
  const most = Math.max(1, window, line, ...held.map((h) => h.context), ...foreseen)
  const lines = ([['window', window], ['line', line], ['warn', warn]] as const).filter(([, at]) => at > 0)
  return (
    <Plot
      label={texts.cache.contextTitle(forecast.handle)}
      count={held.length}
      after={foreseen.length}
      say={(i) => (held[i] ? spokenHeld(held[i]) : '')}
      chosen={chosen}
      onChoose={(i) => setWanted(held[i]?.turn.run_id)}
      height={height}
      margin={margin}
    >
      {(frame) => {
        const y = scaleLinear<number>({ domain: [0, most], range: [frame.height, 0], nice: window === 0 })
        const middle = (i: number) => frame.x(i) + frame.band / 2
        return (
          <>
            <ValueAxis frame={frame} scale={y} format={formatTokens} />
            {lines.map(([name, at]) => (
              <g key={name} data-series={name === 'window' ? 'window' : 'break'}>
                <line x1={0} x2={frame.width} y1={y(at)} y2={y(at)} className="stroke-(--series)" strokeWidth={1} strokeDasharray={name === 'warn' ? '2 3' : undefined} />
                <text x={name === 'warn' ? frame.width : 4} y={y(at) - 3} textAnchor={name === 'warn' ? 'end' : 'start'} className="fill-(--series) text-[0.6875rem]">{`${texts.cache.lines[name]} ${formatTokens(at)}`}</text>
              </g>
            ))}
            <g data-series="written">
              <LinePath data={[...held]} x={(_, i) => middle(i)} y={(h) => y(h.context)} className="stroke-(--series)" strokeWidth={2} strokeLinejoin="round" />
              {held.map((h, i) => (
                <circle key={h.turn.run_id} cx={middle(i)} cy={y(h.context)} r={Math.min(2.5, frame.band / 2)} className="fill-(--series)" />
              ))}
              {foreseen.length > 0 && (
                <LinePath
                  data={[last, ...foreseen]}
                  x={(_, i) => middle(held.length - 1 + i)}
                  y={(size) => y(Math.min(size, most))}
                  className="stroke-(--series)"
                  strokeWidth={1.5}
                  strokeDasharray="3 4"
                />
              )}
            </g>
            {foreseen.length > 0 && (
              <text x={frame.width} y={frame.height - 4} textAnchor="end" className="fill-soft text-[0.6875rem]">{texts.cache.foreseen}</text>
            )}
            <PointAxis frame={frame} names={ticksOf(held.map((h) => h.turn.ended_at))} />
          </>
        )
      }}
    </Plot>
  )
}
