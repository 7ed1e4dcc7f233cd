import { useId, type ReactNode } from 'react'
import { cx } from './cx'

export interface ChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; text: string; hint?: string }[]
  onChange: (value: T) => void
  /** A sentence under it. */
  hint?: ReactNode
}

/** Choice is one of a few, all of them in sight. Arrow keys move between them. */
export function Choice<T extends string>({ label, value, options, onChange, hint }: ChoiceProps<T>) {
  const name = useId()
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="flex flex-wrap gap-1.5">
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              'relative flex min-h-8 cursor-default items-center rounded-md border px-3 py-1 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent',
              option.value === value ? 'border-accent bg-accent-ground font-medium' : 'border-edge hover:bg-hover',
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
            <span>
              {option.text}
              {option.hint && <span className="block text-small font-normal text-soft">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {hint && <p className="text-small text-soft">{hint}</p>}
    </fieldset>
  )
}
