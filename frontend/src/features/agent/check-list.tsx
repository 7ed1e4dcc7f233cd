import { useId } from 'react'
import { cx } from '@/ui'

/** CheckList is any of several, all of them in sight. */
export function CheckList<T extends string>({
  label, options, value, onChange, hint, problem,
}: {
  label: string
  options: readonly T[]
  value: readonly T[]
  /** The order stays that of what was chosen before. */
  onChange: (value: T[]) => void
  hint: string
  problem?: string | undefined
}) {
  const id = useId()
  return (
    <fieldset className="flex flex-col gap-1" aria-describedby={id}>
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {options.map((option, i) => (
          <label key={option} className="flex items-center gap-1.5">
            <input
              type="checkbox"
              checked={value.includes(option)}
              // The first stands for all: it takes the focus where the choice is not right.
              aria-invalid={problem && i === 0 ? true : undefined}
              onChange={(event) => onChange(event.target.checked ? [...value, option] : value.filter((v) => v !== option))}
              className="accent-accent"
            />
            <span className="font-mono text-[0.8125rem]">{option}</span>
          </label>
        ))}
      </div>
      <p id={id} className={cx('text-small', problem ? 'text-red' : 'text-soft')}>
        {problem ?? hint}
      </p>
    </fieldset>
  )
}
