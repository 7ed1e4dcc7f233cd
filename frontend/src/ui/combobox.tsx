import { Search } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { cx } from './cx'

export interface ComboboxProps {
  /** Names the field and its list; the list's own id. */
  label: string
  id: string
  placeholder: string
  value: string
  onType: (text: string) => void
  /** How many choices there are, and which of them is chosen, from 0. */
  count: number
  at: number
  /** How far Page Up and Page Down go. */
  page: number
  onChoose: (index: number) => void
  onEnter: () => void
  /** A key that means something else here: true, when it was taken. */
  onKey?: (event: KeyboardEvent) => boolean
  field?: Ref<HTMLInputElement>
  maxLength?: number
  /** What stands behind the field. */
  children?: ReactNode
}

/** Combobox is the field of a dialog that finds things: it keeps the focus, and its keys move through the ComboboxList below. */
export function Combobox({ label, id, placeholder, value, onType, count, at, page, onChoose, onEnter, onKey, field, maxLength, children }: ComboboxProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const moves: Partial<Record<string, number>> = {
      ArrowDown: (at + 1) % count, ArrowUp: (at - 1 + count) % count, PageDown: Math.min(count - 1, at + page), PageUp: Math.max(0, at - page),
    }
    const move = moves[event.key]
    if (event.key === 'Enter') onEnter()
    else if (onKey?.(event)) {
      // It was taken.
    } else if (move !== undefined && count > 0) onChoose(move)
    else return
    event.preventDefault()
  }
  return (
    <div className="flex items-center gap-2 border-b border-line px-4">
      <Search size={16} aria-hidden className="shrink-0 text-soft" />
      <input
        ref={field}
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={at >= 0 && at < count ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        dir="auto"
        placeholder={placeholder}
        value={value}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-12 min-w-0 flex-1 bg-transparent text-title outline-none"
      />
      {children}
    </div>
  )
}

/** ComboboxList has the choices. `chosen` names the one that is chosen: it is scrolled to when another one is. */
export function ComboboxList({ id, label, chosen, className, children }: { id: string; label: string; chosen: string | undefined; className?: string; children: ReactNode }) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className={cx('min-h-0 flex-1 overflow-y-auto p-1.5', className)}>
      {children}
    </div>
  )
}

export interface ComboboxOptionProps {
  /** The list's id. */
  id: string
  index: number
  chosen: boolean
  onChoose: () => void
  onRun: () => void
  className: string
  children: ReactNode
}

/** ComboboxOption is one choice. */
export function ComboboxOption({ id, index, chosen, onChoose, onRun, className, children }: ComboboxOptionProps) {
  return (
    // The field above has the focus and the keys.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={`${id}-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      onPointerMove={() => !chosen && onChoose()}
      onClick={onRun}
      className={cx('rounded-md px-2.5', className, chosen && 'bg-chosen')}
    >
      {children}
    </div>
  )
}
