import { useId, type ReactNode } from 'react'
import { cx } from '@/ui'

/** SelectField is one of several by a list that drops down. */
export function SelectField<T extends string>({
  label, value, options, onChange, note, warning,
}: {
  label: string
  value: T
  options: readonly { value: T; text: string }[]
  onChange: (value: T) => void
  note?: string | undefined
  /** A sentence about what was chosen that should be read first. */
  warning?: string | undefined
}) {
  const id = useId()
  const said = warning ?? note
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select
        id={id}
        value={value}
        aria-describedby={said ? id + '-note' : undefined}
        onChange={(event) => onChange(event.target.value as T)}
        className="h-8 w-full rounded-md border border-edge bg-ground px-1.5"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {said && (
        <p id={id + '-note'} role={warning ? 'alert' : undefined} className={cx('text-small', warning ? 'text-amber' : 'text-soft')}>
          {said}
        </p>
      )}
    </div>
  )
}

/** CheckField is on or off. */
export function CheckField({ label, note, checked, disabled = false, onChange }: { label: string; note?: string; checked: boolean; disabled?: boolean; onChange: (checked: boolean) => void }) {
  const id = useId()
  return (
    <div className={cx('flex items-start gap-2', disabled && 'opacity-60')}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={note ? id + '-note' : undefined}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-1 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id}>{label}</label>
        {note && (
          <p id={id + '-note'} className="text-small text-soft">
            {note}
          </p>
        )}
      </div>
    </div>
  )
}

/** Group is a part of a form that has a name. */
export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-3 border-t border-line pt-3">
      <legend className="float-left mb-2 w-full font-medium">{title}</legend>
      {children}
    </fieldset>
  )
}
