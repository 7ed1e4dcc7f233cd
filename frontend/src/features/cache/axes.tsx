import { AxisBottom, AxisLeft, AxisRight } from '@visx/axis'
import type { scaleLinear } from '@visx/scale'
import type { Frame } from './plot'

type Linear = ReturnType<typeof scaleLinear<number>>

const word = { fill: 'var(--soft)', fontSize: '0.6875rem', fontFamily: 'inherit' } as const

/** ValueAxis is the scale at a chart's side, with a thin line at each of its values. */
export function ValueAxis({ frame, scale, format, ticks = 4 }: { frame: Frame; scale: Linear; format: (n: number) => string; ticks?: number }) {
  return (
    <>
      {scale.ticks(ticks).map((n) => (
        <line key={n} x1={0} x2={frame.width} y1={scale(n)} y2={scale(n)} className="stroke-line" />
      ))}
      <AxisLeft
        scale={scale}
        numTicks={ticks}
        hideAxisLine
        hideTicks
        tickLength={4}
        tickFormat={(n) => format(Number(n))}
        tickLabelProps={{ ...word, textAnchor: 'end', verticalAnchor: 'middle', dx: -2 }}
      />
    </>
  )
}

/** ShareAxis is the scale of shares, at the other side. */
export function ShareAxis({ frame, scale, format }: { frame: Frame; scale: Linear; format: (n: number) => string }) {
  return (
    <AxisRight
      left={frame.width}
      scale={scale}
      tickValues={[0, 0.5, 1]}
      hideAxisLine
      hideTicks
      tickLength={4}
      tickFormat={(n) => format(Number(n))}
      tickLabelProps={{ ...word, textAnchor: 'start', verticalAnchor: 'middle', dx: 2 }}
    />
  )
}

/** One word has this much room below a chart, in pixels. */
const wordRoom = 60

/** PointAxis names points below a chart, as many as have room. */
export function PointAxis({ frame, names }: { frame: Frame; names: readonly string[] }) {
  const count = names.length
  const every = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(frame.width / wordRoom))))
  // From the last one back: what is newest is named.
  const named = Array.from({ length: count }, (_, i) => i).filter((i) => (count - 1 - i) % every === 0)
  return (
    <AxisBottom
      top={frame.height}
      scale={frame.scale}
      tickValues={named}
      hideTicks
      tickLength={2}
      stroke="var(--edge)"
      tickFormat={(i) => names[i]}
      tickLabelProps={(i) => ({ ...word, textAnchor: i === count - 1 && every > 1 ? 'end' : 'middle', dx: i === count - 1 && every > 1 ? frame.band / 2 : 0, verticalAnchor: 'start' })}
    />
  )
}
