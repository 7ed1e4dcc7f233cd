import { useId, type ComponentProps } from 'react'
import { cx } from '@/ui'

export interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id'> {
  label: string
  hint?: string
  /** What is wrong with it, in a sentence. */
  problem?: string | undefined
}

/** TextArea is a field of several lines. It grows with what is written, and can be drawn larger. */
export function TextArea({ label, hint, problem, className, ...rest }: TextAreaProps) {
  const id = useId()
  const note = problem ?? hint
  return (
    <div className={cx('flex flex-col gap-1', className)}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <textarea
        id={id}
        spellCheck={false}
        dir="auto"
        aria-invalid={problem ? true : undefined}
        aria-describedby={note ? id + '-note' : undefined}
        {...rest}
        className="field-sizing-content max-h-64 min-h-14 w-full resize-y rounded-md border border-edge bg-ground px-2 py-1 aria-invalid:border-red"
      />
      {note && (
        <p id={id + '-note'} className={cx('text-small', problem ? 'text-red' : 'text-soft')}>
          {note}
        </p>
      )}
    </div>
  )
}
