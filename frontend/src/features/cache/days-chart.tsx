import { scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { useState } from 'react'
import type { CacheTotals } from '@/api'
import { formatCount, formatMoney, formatTokens, texts } from '@/core'
import { PointAxis, ValueAxis } from './axes'
import { costOf, costText, wholeOf } from './figures'
import { Plot } from './plot'

export type Day = CacheTotals['days'][number]
export type Measure = 'money' | 'tokens'

const height = 130
const margin = { top: 8, right: 8, bottom: 20, left: 44 }

const measured = (day: Day, measure: Measure): number => (measure === 'money' ? day.cost_usd : wholeOf(day))

/** DaysChart is a bar a day. */
export function DaysChart({ days, measure }: { days: readonly Day[]; measure: Measure }) {
  const [wanted, setWanted] = useState<string>()
  const known = days.findIndex((d) => d.day === wanted)
  const chosen = known >= 0 ? known : days.length - 1
  const most = Math.max(...days.map((d) => measured(d, measure)))
  return (
    <Plot
      label={texts.cache.byDay}
      count={days.length}
      say={(i) => (days[i] ? texts.cache.oneDay(days[i].day, costOf(days[i]) === undefined ? texts.cache.itsCostUnknown : costText(days[i]), formatCount(wholeOf(days[i])), days[i].turns) : '')}
      chosen={chosen}
      onChoose={(i) => setWanted(days[i]?.day)}
      height={height}
      margin={margin}
    >
      {(frame) => {
        const y = scaleLinear<number>({ domain: [0, most || 1], range: [frame.height, 0], nice: true })
        return (
          <g data-series="written">
            <ValueAxis frame={frame} scale={y} format={measure === 'money' ? formatMoney : formatTokens} ticks={3} />
            {days.map((d, i) => {
              const value = measured(d, measure)
              const high = Math.max(1.5, frame.height - y(value))
              return value > 0 && <Bar key={d.day} x={frame.x(i)} width={frame.band} y={frame.height - high} height={high} className="fill-(--series)" />
            })}
            <PointAxis frame={frame} names={days.map((d) => d.day.slice(5))} />
          </g>
        )
      }}
    </Plot>
  )
}
