import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx'
import { Spinner } from './progress'
import { Tooltip } from './tooltip'

type Tone = 'plain' | 'main' | 'quiet' | 'danger'

const tones: Record<Tone, string> = {
  plain: 'bg-raised text-text border-edge hover:bg-hover',
  main: 'bg-accent text-on-accent border-transparent hover:brightness-110',
  quiet: 'bg-transparent text-text border-transparent hover:bg-hover',
  danger: 'bg-red text-on-red border-transparent hover:brightness-110',
}

export interface ButtonProps extends ComponentProps<'button'> {
  tone?: Tone
  size?: 'sm' | 'md'
  icon?: ReactNode
  /** What it was pressed for is under way: it can't be pressed again, and keeps its width. */
  busy?: boolean
}

export function Button({ tone = 'plain', size = 'md', icon, busy = false, disabled, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx(
        'relative inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors select-none disabled:opacity-50',
        size === 'sm' ? 'h-6 px-2 text-small' : 'h-8 px-3 text-body',
        tones[tone],
        className,
      )}
    >
      <span className={cx('contents', busy && '[&>*]:invisible')}>
        {icon}
        <span>{children}</span>
      </span>
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
    </button>
  )
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  /** Said to screen readers and on hover. */
  label: string
  size?: 'sm' | 'md'
  /** Keys that do the same, for the tooltip. */
  keys?: string
}

export function IconButton({ label, size = 'md', keys, className, children, ...rest }: IconButtonProps) {
  return (
    <Tooltip content={label} keys={keys}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={cx(
          'grid shrink-0 place-items-center rounded-md text-soft transition-colors hover:bg-hover hover:text-text aria-expanded:bg-hover aria-expanded:text-text aria-pressed:bg-chosen aria-pressed:text-text disabled:opacity-40',
          size === 'sm' ? 'size-6' : 'size-8',
          className,
        )}
      >
        {children}
      </button>
    </Tooltip>
  )
}
