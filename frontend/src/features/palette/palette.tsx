import { Search } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { texts } from '@/core'
import { BareDialog, cx, Kbd } from '@/ui'
import { found, type Entry } from './entries'
import { useAnswers, useEntries } from './use-entries'

export interface PaletteProps {
  /** The channel that is open: its agents and people are offered. */
  channelId: string | undefined
  onClose: () => void
}

/** Palette goes to anything by typing a part of its name: a channel, an agent, a command. */
export default function Palette({ channelId, onClose }: PaletteProps) {
  return (
    <BareDialog open onOpenChange={onClose} title={texts.palette.title}>
      <Body channelId={channelId} onClose={onClose} />
    </BareDialog>
  )
}

function Body({ channelId, onClose }: PaletteProps) {
  const id = useId()
  const entries = useEntries(channelId)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const answers = useAnswers(typed)
  const named = useMemo(() => found(entries, typed), [entries, typed])
  const results = useMemo(() => [...answers.before, ...named, ...answers.after], [answers, named])
  const at = Math.min(chosen, results.length - 1)

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, results])

  // The palette is gone before what was chosen happens: that may take the focus somewhere.
  const go = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    requestAnimationFrame(() => entry.run())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const n = results.length
    const moves: Partial<Record<string, number>> = {
      ArrowDown: (at + 1) % n, ArrowUp: (at - 1 + n) % n, PageDown: Math.min(n - 1, at + 8), PageUp: Math.max(0, at - 8),
    }
    const move = moves[event.key]
    if (event.key === 'Enter') {
      event.preventDefault()
      go(results[at])
    } else if (move !== undefined && n > 0) {
      event.preventDefault()
      setChosen(move)
    }
  }
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-4">
        <Search size={16} aria-hidden className="shrink-0 text-soft" />
        <input
          role="combobox"
          aria-label={texts.palette.title}
          aria-expanded
          aria-controls={id}
          aria-activedescendant={results[at] ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          placeholder={texts.palette.placeholder}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-title outline-none"
        />
      </div>
      <div ref={list} id={id} role="listbox" aria-label={texts.palette.title} className="min-h-0 flex-1 overflow-y-auto p-1.5">
        {groupsOf(results).map(([group, entriesOf]) => (
          <div key={group} role="group" aria-label={group}>
            <p aria-hidden className="px-2.5 pt-2 pb-1 text-small font-medium text-soft">{group}</p>
            {entriesOf.map(({ entry, index }) => (
              // The field above has the focus and the keys.
              // eslint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={entry.id}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                onPointerMove={() => index !== at && setChosen(index)}
                onClick={() => go(entry)}
                className={cx('flex h-9 items-center gap-2.5 rounded-md px-2.5', index === at && 'bg-chosen')}
              >
                <span aria-hidden className="grid w-4 shrink-0 place-items-center text-soft">{entry.icon}</span>
                <span className="max-w-[70%] truncate" dir="auto">{entry.text}</span>
                <span className="min-w-0 flex-1 truncate text-small text-soft" dir="auto">{entry.detail}</span>
                {entry.keys && <Kbd>{entry.keys}</Kbd>}
              </div>
            ))}
          </div>
        ))}
        {named.length === 0 && answers.before.length === 0 && <p className="px-2.5 py-6 text-center text-soft">{texts.palette.nothing}</p>}
      </div>
      <p role="status" className="sr-only">{texts.palette.results(results.length)}</p>
      <footer aria-hidden className="flex gap-4 border-t border-line px-4 py-2 text-small text-soft max-sm:hidden">
        <span><Kbd>↑↓</Kbd> {texts.palette.move}</span>
        <span><Kbd>⏎</Kbd> {texts.palette.enter}</span>
        <span><Kbd>{texts.commands.escape}</Kbd> {texts.palette.leave}</span>
      </footer>
    </>
  )
}

function groupsOf(results: readonly Entry[]): [string, { entry: Entry; index: number }[]][] {
  const groups = new Map<string, { entry: Entry; index: number }[]>()
  results.forEach((entry, index) => groups.set(entry.group, [...(groups.get(entry.group) ?? []), { entry, index }]))
  return [...groups]
}
