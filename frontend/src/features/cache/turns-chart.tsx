import { scaleLinear } from '@visx/scale'
import { BarStack, LinePath } from '@visx/shape'
import { formatShare, formatTokens, ticksOf } from '@/core'
import { spokenTurn, type Bar } from './figures'
import { PointAxis, ShareAxis, ValueAxis } from './axes'
import { Mark } from './legend'
import { Plot } from './plot'

const height = 220
const margin = { top: 18, right: 44, bottom: 20, left: 44 }
/** What is there is seen, however little of the whole it is. In pixels. */
const least = 1.5
/** Few bars stay bars. In pixels. */
const widest = 48

export interface TurnsChartProps {
  label: string
  bars: readonly Bar[]
  /** What was read is left out, so that what costs most has the room. */
  paid: boolean
  chosen: number
  onChoose: (i: number) => void
  onBeyond: (step: -1 | 1) => void
}

/** TurnsChart is a bar a turn: read, written, new from below; the share that was read as a line; and a mark where the cache broke. */
export function TurnsChart({ label, bars, paid, chosen, onChoose, onBeyond }: TurnsChartProps) {
  const keys = paid ? (['written', 'fresh'] as const) : (['read', 'written', 'fresh'] as const)
  const most = Math.max(1, ...bars.map((bar) => keys.reduce((sum, key) => sum + bar[key], 0)))
  return (
    <Plot label={label} count={bars.length} say={(i) => (bars[i] ? spokenTurn(bars[i]) : '')} chosen={chosen} onChoose={onChoose} onBeyond={onBeyond} height={height} margin={margin}>
      {(frame) => {
        const y = scaleLinear<number>({ domain: [0, most], range: [frame.height, 0], nice: true })
        const share = scaleLinear<number>({ domain: [0, 1], range: [frame.height, 0] })
        const wide = Math.min(frame.band, widest)
        const middle = (i: number) => frame.x(i) + frame.band / 2
        const line = bars.map((bar, i) => ({ x: middle(i), ratio: bar.turn.read_ratio }))
        const single = line.filter((p, i) => p.ratio !== undefined && line[i - 1]?.ratio === undefined && line[i + 1]?.ratio === undefined)
        return (
          <>
            <ValueAxis frame={frame} scale={y} format={formatTokens} />
            <ShareAxis frame={frame} scale={share} format={(n) => formatShare(n).replace('.0', '')} />
            <BarStack data={[...bars]} keys={[...keys]} x={(bar) => bars.indexOf(bar)} xScale={frame.scale} yScale={y} color={() => ''}>
              {(stacks) =>
                stacks.map((stack) =>
                  stack.bars.map((bar) => {
                    if (bar.bar.data[stack.key] === 0) return null
                    const high = Math.max(least, bar.height)
                    return <rect key={bar.bar.data.turn.run_id} data-series={stack.key} x={bar.x + (bar.width - wide) / 2} width={wide} y={bar.y + bar.height - high} height={high} className="fill-(--series)" />
                  }),
                )
              }
            </BarStack>
            <g data-series="ratio">
              <LinePath data={line} x={(p) => p.x} y={(p) => share(p.ratio ?? 0)} defined={(p) => p.ratio !== undefined} className="stroke-(--series)" strokeWidth={1.5} strokeLinejoin="round" />
              {single.map((p) => (
                <circle key={p.x} cx={p.x} cy={share(p.ratio ?? 0)} r={2} className="fill-(--series)" />
              ))}
            </g>
            {bars.map((bar, i) => bar.turn.break && <Mark key={bar.turn.run_id} quiet={bar.turn.break.quiet} x={middle(i)} y={-10} />)}
            <PointAxis frame={frame} names={ticksOf(bars.map((bar) => bar.turn.ended_at))} />
          </>
        )
      }}
    </Plot>
  )
}
