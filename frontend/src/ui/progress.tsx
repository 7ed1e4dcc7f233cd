import { cx } from './cx'
import { useUiWords } from './words'

/** Spinner says that something is under way. Where that stands in words beside it, it is silent. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  return (
    <span
      role={label ? 'status' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      className={cx('inline-block size-3.5 shrink-0 animate-spin rounded-full border-[1.5px] border-current border-r-transparent', className)}
    />
  )
}

/** Loading fills its place while what belongs there is fetched. It appears only when that takes a while. */
export function Loading() {
  const words = useUiWords()
  return (
    <div className="grid h-full animate-late place-items-center text-soft">
      <Spinner label={words.loading} className="size-5" />
    </div>
  )
}

/** Ring shows a share from 0 to 1 as a thin arc, such as how long an idle process is kept. `label` says it in words. */
export function Ring({ value, label, size = 16, className }: { value: number; label: string; size?: number; className?: string }) {
  const r = size / 2 - 1
  const around = 2 * Math.PI * r
  const share = Math.min(1, Math.max(0, value))
  return (
    <svg role="img" aria-label={label} width={size} height={size} viewBox={`0 0 ${size} ${size}`} className={cx('shrink-0 -rotate-90', className)}>
      <circle cx={size / 2} cy={size / 2} r={r} fill="none" stroke="var(--edge)" strokeWidth={1.5} />
      <circle
        cx={size / 2} cy={size / 2} r={r} fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinecap="round"
        strokeDasharray={`${around * share} ${around}`}
      />
    </svg>
  )
}

/** Skeleton is the shape of lines that are on their way. It appears only when they take a while. */
export function Skeleton({ lines, className }: { lines: number; className?: string }) {
  const words = useUiWords()
  return (
    <div role="status" aria-label={words.loading} className={cx('flex animate-soon flex-col gap-3', className)}>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} className="h-3 rounded-sm bg-hover" style={{ width: `${[72, 48, 60, 84, 40][i % 5] ?? 60}%` }} />
      ))}
    </div>
  )
}
