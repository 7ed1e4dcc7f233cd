import { useId, type ReactNode } from 'react'
import { cx } from './cx'

interface Option<T extends string> {
  value: T
  text: string
  hint?: string
  /** The language of the text, where it is not the page's. */
  lang?: string
}

export interface ChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly Option<T>[]
  onChange: (value: T) => void
  /** A sentence under it. */
  hint?: ReactNode
}

/** Choice is one of a few, all of them in sight. Arrow keys move between them. */
export function Choice<T extends string>({ label, value, options, onChange, hint }: ChoiceProps<T>) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="flex flex-wrap gap-1.5">
        <Radios value={value} options={options} onChange={onChange} className="min-h-8 cursor-default px-3 py-1" on="" off="">
          {(option) => (
            <span lang={option.lang}>
              {option.text}
              {option.hint && <span className="block text-small font-normal text-soft">{option.hint}</span>}
            </span>
          )}
        </Radios>
      </div>
      {hint && <p className="text-small text-soft">{hint}</p>}
    </fieldset>
  )
}

export interface SegmentedProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; text: string }[]
  onChange: (value: T) => void
}

/** Segmented is one of a few views, in one line where there is room. Arrow keys move between them. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  return (
    <div role="radiogroup" aria-label={label} className="flex min-w-0 flex-wrap gap-1">
      <Radios
        value={value}
        options={options}
        onChange={onChange}
        className="min-h-6 max-w-full min-w-0 px-2 text-small"
        on="text-text"
        off="text-soft hover:text-text"
      >
        {(option) => <span className="truncate" dir="auto">{option.text}</span>}
      </Radios>
    </div>
  )
}

interface RadiosProps<T extends string> {
  value: T
  options: readonly Option<T>[]
  onChange: (value: T) => void
  className: string
  /** How the chosen one looks, and the others, beside what all have. */
  on: string
  off: string
  children: (option: Option<T>) => ReactNode
}

function Radios<T extends string>({ value, options, onChange, className, on, off, children }: RadiosProps<T>) {
  const name = useId()
  return options.map((option) => (
    <label
      key={option.value}
      className={cx(
        'relative flex items-center rounded-md border transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent',
        className,
        option.value === value ? 'border-accent bg-accent-ground font-medium' : 'border-edge hover:bg-hover',
        option.value === value ? on : off,
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
      {children(option)}
    </label>
  ))
}
