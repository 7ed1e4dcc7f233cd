import { useId, useMemo, useState } from 'react'
import { texts } from '@/core'
import { BareDialog, Combobox, ComboboxList, ComboboxOption, Kbd } from '@/ui'
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
  const answers = useAnswers(typed)
  const named = useMemo(() => found(entries, typed), [entries, typed])
  const results = useMemo(() => [...answers.before, ...named, ...answers.after], [answers, named])
  const at = Math.min(chosen, results.length - 1)

  // The palette is gone before what was chosen happens: that may take the focus somewhere.
  const go = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    requestAnimationFrame(() => entry.run())
  }
  const nothing = named.length === 0 && answers.before.length === 0
  return (
    <>
      <Combobox
        id={id}
        label={texts.palette.title}
        placeholder={texts.palette.placeholder}
        value={typed}
        onType={(text) => {
          setTyped(text)
          setChosen(0)
        }}
        count={results.length}
        at={at}
        page={8}
        onChoose={setChosen}
        onEnter={() => go(results[at])}
      />
      <ComboboxList id={id} label={texts.palette.title} chosen={results[at]?.id}>
        {groupsOf(results).map(([group, entriesOf]) => (
          <div key={group} role="group" aria-label={group}>
            <p aria-hidden className="px-2.5 pt-2 pb-1 text-small font-medium text-soft">{group}</p>
            {entriesOf.map(({ entry, index }) => (
              <ComboboxOption
                key={entry.id}
                id={id}
                index={index}
                chosen={index === at}
                onChoose={() => setChosen(index)}
                onRun={() => go(entry)}
                className="flex h-9 items-center gap-2.5"
              >
                <span aria-hidden className="grid w-4 shrink-0 place-items-center text-soft">{entry.icon}</span>
                <span className="max-w-[70%] truncate" dir="auto">{entry.text}</span>
                <span className="min-w-0 flex-1 truncate text-small text-soft" dir="auto">{entry.detail}</span>
                {entry.keys && <Kbd>{entry.keys}</Kbd>}
              </ComboboxOption>
            ))}
          </div>
        ))}
        {nothing && <p aria-hidden className="px-2.5 py-6 text-center text-soft">{texts.palette.nothing}</p>}
      </ComboboxList>
      {/* That what was typed can be looked for everywhere is no result: the list offers it all the same. */}
      <p role="status" className="sr-only">{nothing ? texts.palette.nothing : texts.palette.results(results.length - answers.after.length)}</p>
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
