import { cx } from './cx'

/** Avatar is the first letter of a name: round for people, square for agents. It says nothing the name beside it does not. */
export function Avatar({ name, agent = false, size = 28 }: { name: string; agent?: boolean; size?: number }) {
  const letter = Array.from(name.trim())[0]?.toLocaleUpperCase() ?? '·'
  return (
    <span
      aria-hidden
      style={{ width: size, height: size, fontSize: Math.round(size * 0.43) }}
      className={cx(
        'grid shrink-0 place-items-center font-semibold select-none',
        agent ? 'rounded-md bg-text text-ground' : 'rounded-full border border-edge bg-side text-soft',
      )}
    >
      {letter}
    </span>
  )
}

export type DotTone = 'off' | 'on' | 'busy' | 'asks' | 'broken'

const dots: Record<DotTone, string> = {
  off: 'border-[1.5px] border-soft',
  on: 'bg-green',
  busy: 'bg-green animate-breathe',
  asks: 'bg-amber',
  broken: 'bg-red',
}

/** Dot is a state in one glance. `label` says it in words, unless words stand beside it. */
export function Dot({ tone, label }: { tone: DotTone; label?: string }) {
  return (
    <span
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      className={cx('keep-colour inline-block size-2 shrink-0 rounded-full', dots[tone])}
    />
  )
}
