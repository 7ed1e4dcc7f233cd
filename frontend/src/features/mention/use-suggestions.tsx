import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { texts } from '@/core'
import { cx } from '@/ui'

/** One thing that can be put in. */
export interface Suggestion {
  key: string
  content: ReactNode
  choose: () => void
  /** Somebody has looked at it for a moment, by pointer or arrow keys. */
  linger?: (() => void) | undefined
}

/** What a field needs to show suggestions. */
export interface Suggestions {
  /** The list, for above the field; null when nothing is suggested. */
  popup: ReactNode
  /** Attributes for the field. */
  input: Record<string, string | boolean | undefined>
  /** Takes the keys that are the list's; true when it took one. */
  onKeyDown: (event: KeyboardEvent) => boolean
}

/** How long one looks at a suggestion before it counts, in milliseconds. */
const moment = 350

/**
 * useSuggestions is a list of suggestions at a field that keeps the focus: arrow and page keys move,
 * Tab and Enter choose, Escape lets go. `subject` names what is being completed: another one begins at the top. `note` stands below
 * them, or alone.
 */
export function useSuggestions(label: string, subject: string, options: readonly Suggestion[], close: () => void, note = ''): Suggestions {
  const id = useId()
  const [state, setState] = useState({ subject, at: 0, meant: false })
  const here = state.subject === subject ? state : { subject, at: 0, meant: false }
  const at = Math.min(here.at, options.length - 1)
  const chosen = options[at]
  const list = useRef<HTMLUListElement>(null)
  const moveTo = (next: number) => setState({ subject, at: next, meant: true })

  const linger = here.meant ? chosen : undefined
  const lingered = useRef<Suggestion>(undefined)
  useEffect(() => {
    lingered.current = linger
  })
  const lingerKey = linger?.key
  useEffect(() => {
    if (lingerKey === undefined) return
    const timer = setTimeout(() => lingered.current?.linger?.(), moment)
    return () => clearTimeout(timer)
  }, [lingerKey])

  // The chosen one is always in sight.
  useLayoutEffect(() => {
    const box = list.current
    const option = box?.children[at]
    if (!box || !(option instanceof HTMLElement)) return
    box.scrollTop = Math.min(option.offsetTop - 4, Math.max(box.scrollTop, option.offsetTop + option.offsetHeight + 4 - box.clientHeight))
  }, [at, options.length])

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!chosen || event.metaKey || event.ctrlKey || event.altKey) return false
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: Math.min(at + 5, options.length - 1), PageUp: Math.max(at - 5, 0) }[event.key]
    if (to !== undefined) moveTo((to + options.length) % options.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) chosen.choose()
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const optionId = (key: string) => `${id}-${key}`
  return {
    onKeyDown,
    input: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': chosen ? id : undefined,
      'aria-activedescendant': chosen ? optionId(chosen.key) : undefined,
    },
    popup: (
      <>
        <div aria-live="polite" className="sr-only">
          {chosen ? `${texts.mention.found(options.length)} ${note}` : note}
        </div>
        {(chosen ?? note) && (
          <div className="absolute bottom-full left-0 z-20 mb-1 w-[26rem] max-w-full animate-appear rounded-md bg-raised p-1 shadow-float">
            {chosen && (
              // Where it scrolls, whoever has no wheel must be able to reach it. Tab itself chooses.
              <ul ref={list} id={id} role="listbox" aria-label={label} tabIndex={0} className="relative max-h-70 overflow-y-auto">
                {options.map((option, i) => (
                  <li
                    key={option.key}
                    id={optionId(option.key)}
                    role="option"
                    aria-selected={i === at}
                    onPointerMove={() => (i === at && here.meant) || moveTo(i)}
                    onPointerDown={(event) => {
                      event.preventDefault() // the field keeps the focus
                      option.choose()
                    }}
                    className={cx('flex min-h-8 items-center gap-2 rounded-sm px-2', i === at && 'bg-hover')}
                  >
                    {option.content}
                  </li>
                ))}
              </ul>
            )}
            {note && <p aria-hidden className="px-2 py-1 text-small text-soft">{note}</p>}
          </div>
        )}
      </>
    ),
  }
}
