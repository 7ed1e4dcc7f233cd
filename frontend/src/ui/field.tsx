import { useId, type ComponentProps, type ReactNode } from 'react'
import { cx } from './cx'

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string
  hint?: string
  /** What is wrong with it, in a sentence. */
  problem?: string | undefined
  /** Beside it, such as a button that fills it in. */
  end?: ReactNode
}

export function TextField({ label, hint, problem, end, className, ...rest }: TextFieldProps) {
  const id = useId()
  const note = problem ?? hint
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          aria-invalid={problem ? true : undefined}
          aria-describedby={note ? id + '-note' : undefined}
          {...rest}
          className="h-8 min-w-0 flex-1 rounded-md border border-edge bg-ground px-2 aria-invalid:border-red"
        />
        {end}
      </div>
      {note && (
        <p id={id + '-note'} className={cx('text-small', problem ? 'text-red' : 'text-soft')}>
          {note}
        </p>
      )}
    </div>
  )
}
