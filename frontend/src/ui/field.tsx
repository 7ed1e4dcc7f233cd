import { useId, type ComponentProps, type ReactNode } from 'react'
import { cx } from './cx'

/** What every field has. */
interface FieldProps {
  label: string
  hint?: string
  /** What is wrong with it, in a sentence. */
  problem?: string | undefined
}

export interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'id'> {
  /** Beside it, such as a button that fills it in. */
  end?: ReactNode
}

export function TextField({ label, hint, problem, end, className, ...rest }: TextFieldProps) {
  return (
    <Framed label={label} hint={hint} problem={problem} className={className}>
      {(described) => (
        <div className="flex gap-2">
          <input
            {...described}
            autoComplete="off"
            {...rest}
            className="h-8 min-w-0 flex-1 rounded-md border border-edge bg-ground px-2 aria-invalid:border-red"
          />
          {end}
        </div>
      )}
    </Framed>
  )
}

export interface TextAreaProps extends FieldProps, Omit<ComponentProps<'textarea'>, 'id'> {}

/** TextArea is a field of several lines. It grows with what is written, and can be drawn larger. */
export function TextArea({ label, hint, problem, className, ...rest }: TextAreaProps) {
  return (
    <Framed label={label} hint={hint} problem={problem} className={className}>
      {(described) => (
        <textarea
          {...described}
          {...rest}
          className="field-sizing-content max-h-64 min-h-14 w-full resize-y rounded-md border border-edge bg-ground px-2 py-1 aria-invalid:border-red"
        />
      )}
    </Framed>
  )
}

interface FramedProps {
  label: string
  hint: string | undefined
  problem: string | undefined
  className: string | undefined
  children: (described: ReturnType<typeof describe>) => ReactNode
}

/** Framed is a field with its label above it, and its hint, or what is wrong with it, below. */
function Framed({ label, hint, problem, className, children }: FramedProps) {
  const id = useId()
  const note = problem ?? hint
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children(describe(id, note, problem))}
      {note && (
        <p id={id + '-note'} className={cx('text-small', problem ? 'text-red' : 'text-soft')}>
          {note}
        </p>
      )}
    </div>
  )
}

/** describe is what ties a control to its label and its note. */
function describe(id: string, note: string | undefined, problem: string | undefined) {
  return {
    id,
    spellCheck: false,
    dir: 'auto',
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': note ? id + '-note' : undefined,
  } as const
}
