import { useId } from 'react'
import { texts } from '@/core'
import { cx } from '@/ui'

/** How a file's content is shown. */
export type View = 'rendered' | 'table' | 'tree' | 'picture' | 'text'

export interface ViewChoiceProps {
  /** Undefined: there is only one way. */
  choice: readonly View[] | undefined
  view: View
  onView: (view: View) => void
  /** Why it is not shown otherwise. */
  note: string | undefined
}

/** ViewChoice is a line above a file's content: how it is shown. */
export function ViewChoice({ choice, view, onView, note }: ViewChoiceProps) {
  const name = useId()
  if (!choice && note === undefined) return null
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-2 border-b border-line px-3 py-1">
      {choice && (
        <div role="radiogroup" aria-label={texts.workbench.view} className="flex gap-1">
          {choice.map((one) => (
            <label
              key={one}
              className={cx(
                'relative flex min-h-6 items-center rounded-md border px-2 text-small transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent',
                one === view ? 'border-accent bg-accent-ground font-medium text-text' : 'border-edge text-soft hover:bg-hover hover:text-text',
              )}
            >
              <input type="radio" name={name} value={one} checked={one === view} onChange={() => onView(one)} className="absolute inset-0 m-0 appearance-none outline-none" />
              {texts.workbench.views[one]}
            </label>
          ))}
        </div>
      )}
      <span className="min-w-0 flex-1 text-small text-soft">{note}</span>
    </div>
  )
}
