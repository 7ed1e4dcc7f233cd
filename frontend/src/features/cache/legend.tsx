import { texts } from '@/core'

export type Series = keyof typeof texts.cache.legend

/** Mark is what stands above a turn in which the cache broke: filled where that is an alarm. */
export function Mark({ quiet, x, y }: { quiet: boolean; x: number; y: number }) {
  return (
    <path
      data-series={quiet ? 'quiet' : 'break'}
      d={`M${x - 4.5},${y - 3.5}h9l-4.5,8z`}
      className="stroke-(--series)"
      style={{ fill: quiet ? 'var(--ground)' : 'var(--series)' }}
      strokeWidth={1.25}
    />
  )
}

/** Legend says what a chart's colours and marks are. */
export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 text-small text-soft">
      {series.map((s) => (
        <li key={s} data-series={s} className="flex items-center gap-1.5">
          <svg aria-hidden width={10} height={10} className="keep-colour shrink-0">
            {s === 'ratio' ? (
              <line x1={0} x2={10} y1={5} y2={5} strokeWidth={1.5} className="stroke-(--series)" />
            ) : s === 'break' || s === 'quiet' ? (
              <Mark quiet={s === 'quiet'} x={5} y={4.5} />
            ) : (
              <rect width={10} height={10} rx={2} className="fill-(--series)" />
            )}
          </svg>
          {texts.cache.legend[s]}
        </li>
      ))}
    </ul>
  )
}
