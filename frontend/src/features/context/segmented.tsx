import { useId } from 'react'
import { cx } from '@/ui'

export interface SegmentedProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; text: string }[]
  onChange: (value: T) => void
}

/** Segmented is one of a few views, in one line where there is room. Arrow keys move between them. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className="flex min-w-0 flex-wrap gap-1">
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            'relative flex min-h-6 max-w-full min-w-0 items-center rounded-md border px-2 text-small transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent',
            option.value === value ? 'border-accent bg-accent-ground font-medium text-text' : 'border-edge text-soft hover:bg-hover hover:text-text',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 m-0 appearance-none outline-none"
          />
          <span className="truncate" dir="auto">{option.text}</span>
        </label>
      ))}
    </div>
  )
}
