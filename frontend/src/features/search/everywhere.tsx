import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { SearchMatch, WorkbenchMatch } from '@/api'
import { addressOf, nameOf, problemOf, rowLink, texts, useHearth, useSelect } from '@/core'
import { fileLink } from '@/features/workbench'
import { BareDialog, Button, Combobox, ComboboxList, ComboboxOption, EmptyState, ErrorNote, IconButton, Kbd, Spinner } from '@/ui'
import { CompletionLine, FileLine, MessageLine, RecentLine, type Part } from './everywhere-results'
import { filters, remember, withFilter } from './typed'
import { useCompletions } from './use-completions'
import { byChannel, useEverywhere, useWorkbenches } from './use-everywhere'

export interface SearchEverywhereProps {
  /** The channel that is open: into its workbench is looked first. */
  channelId: string | undefined
  /** What it begins with. */
  text?: string | undefined
  onClose: () => void
}

/** SearchEverywhere finds messages in all channels, and files in workbenches, while it is typed. */
export default function SearchEverywhere(props: SearchEverywhereProps) {
  return (
    <BareDialog open wide onOpenChange={props.onClose} title={texts.everywhere.title}>
      <Body {...props} />
    </BareDialog>
  )
}

function Body({ channelId, text = '', onClose }: SearchEverywhereProps) {
  const id = useId()
  const [typed, setTyped] = useState(text)
  const [archived, setArchived] = useState(false)
  const [chosen, setChosen] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const found = useEverywhere(typed, archived)
  const benches = useWorkbenches(typed, channelId)
  const parts = useParts({ typed, archived, found, benches: benches.found, onType: (next) => type(next), onClose })
  const choices = parts.flatMap((part) => part.choices)
  // The one that was chosen stays chosen while others come before it.
  const at = Math.max(0, choices.findIndex((c) => c.key === chosen))
  const choice = choices[at]
  const completing = parts[0]?.key === 'completions'
  // What is shown is what was found of what stands there now.
  const fresh = (typed.trim() === found.text && !found.isPlaceholderData) || typed.trim() === '' || completing
  // Enter that came before the answer opens its first as soon as it is there.
  const [hurried, setHurried] = useState(false)
  useEffect(() => {
    if (!hurried || !fresh || found.isFetching) return
    setHurried(false)
    choice?.run()
  }, [hurried, fresh, found.isFetching, choice])

  const type = (next: string) => {
    setTyped(next)
    setChosen('')
    setHurried(false)
    field.current?.focus()
  }
  const complete = (event: KeyboardEvent) => {
    if (event.key !== 'Tab' || event.shiftKey || !completing) return false
    parts[0]?.choices[0]?.run()
    return true
  }
  const empty = typed.trim() === ''
  const nothing = !empty && !found.looking && !benches.looking && choices.length === 0 && found.faults.length === 0 && !found.isError && !found.hasNextPage
  return (
    <>
      <Combobox
        field={field}
        id={id}
        label={texts.everywhere.title}
        placeholder={texts.everywhere.placeholder}
        maxLength={1000}
        value={typed}
        onType={type}
        count={choices.length}
        at={at}
        page={6}
        onChoose={(index) => setChosen(choices[index]?.key ?? '')}
        onEnter={() => (fresh ? choice?.run() : setHurried(true))}
        onKey={complete}
      >
        {!empty && (found.looking || benches.looking) && <Spinner />}
        {!empty && (
          <IconButton label={texts.everywhere.clear} size="sm" onClick={() => type('')}>
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </Combobox>
      <div role="group" aria-label={texts.everywhere.filters} className="flex flex-wrap items-center gap-1 border-b border-line px-3 py-1.5 text-small">
        {filters.map((filter) => (
          <button
            key={filter}
            type="button"
            title={texts.everywhere.hints[filter]}
            aria-label={`${filter}: ${texts.everywhere.hints[filter]}`}
            onClick={() => type(withFilter(typed, filter))}
            className="h-6 rounded-md border border-line px-2 font-mono text-soft hover:bg-hover hover:text-text"
          >
            {filter + ':'}
          </button>
        ))}
        <label className="ml-auto flex h-6 items-center gap-1.5 px-1 text-soft">
          <input type="checkbox" checked={archived} onChange={(event) => setArchived(event.target.checked)} className="accent-accent" />
          {texts.everywhere.archived}
        </label>
      </div>
      <p role="status" className="px-4 pt-2 text-small text-soft empty:hidden">
        {status(empty || completing, found)}
      </p>
      {found.faults.length > 0 && !empty && <ErrorNote tone="amber" className="mx-4 my-2">{found.faults.join(' ')}</ErrorNote>}
      {found.isError && !empty && (
        <ErrorNote className="mx-4 my-2" action={<Button size="sm" onClick={() => void found.refetch()}>{texts.common.tryAgain}</Button>}>
          {problemOf(found.error).message}
        </ErrorNote>
      )}
      <ComboboxList id={id} label={texts.everywhere.title} chosen={choice?.key} className="empty:p-0">
        {numbered(parts).map(({ part, first }) => (
          <div key={part.key} role="group" aria-label={part.label}>
            <p aria-hidden className="flex gap-2 px-2.5 pt-2 pb-1 text-small font-medium text-soft">
              <span className="truncate" dir="auto">{part.label}</span>
              {part.count && <span className="font-normal tabular-nums">{part.count}</span>}
            </p>
            {part.choices.map((one, i) => (
              <ComboboxOption
                key={one.key}
                id={id}
                index={first + i}
                chosen={first + i === at}
                onChoose={() => setChosen(one.key)}
                onRun={one.run}
                className="py-1.5"
              >
                {one.show}
              </ComboboxOption>
            ))}
            {part.note && <p className="px-2.5 py-1 text-small text-soft">{part.note}</p>}
          </div>
        ))}
      </ComboboxList>
      {found.hasNextPage && !found.isPlaceholderData && (
        <div className="flex justify-center py-1.5">
          <Button size="sm" busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>{texts.everywhere.further}</Button>
        </div>
      )}
      {nothing && <EmptyState title={texts.everywhere.none} hint={texts.everywhere.noneHint(archived)} />}
      {empty && <EmptyState title={texts.everywhere.start} hint={texts.everywhere.startHint} />}
      <Foot completing={completing} />
    </>
  )
}

function status(silent: boolean, found: ReturnType<typeof useEverywhere>): ReactNode {
  if (silent || found.faults.length > 0 || found.isError) return ''
  if (found.matches.length > 0) return texts.everywhere.found(found.matches.length, found.hasNextPage, byChannel(found.matches).length)
  if (found.looking) return texts.everywhere.looking
  return found.hasNextPage ? texts.everywhere.soFar : ''
}

function Foot({ completing }: { completing: boolean }) {
  return (
    <footer aria-hidden className="flex gap-4 border-t border-line px-4 py-2 text-small text-soft max-sm:hidden">
      <span><Kbd>↑↓</Kbd> {texts.everywhere.move}</span>
      <span><Kbd>⏎</Kbd> {completing ? texts.everywhere.complete : texts.everywhere.open}</span>
      <span><Kbd>{texts.commands.escape}</Kbd> {texts.everywhere.leave}</span>
    </footer>
  )
}

/** numbered are parts, each with the number of its first choice. */
function numbered(parts: readonly Part[]): { part: Part; first: number }[] {
  let first = 0
  return parts.map((part) => {
    const one = { part, first }
    first += part.choices.length
    return one
  })
}

interface PartsOf {
  typed: string
  archived: boolean
  found: ReturnType<typeof useEverywhere>
  benches: ReturnType<typeof useWorkbenches>['found']
  onType: (text: string) => void
  onClose: () => void
}

/** useParts is all that the list offers: ways to go on typing, else what was found, else what was looked for lately. */
function useParts({ typed, archived, found, benches, onType, onClose }: PartsOf): Part[] {
  const hearth = useHearth()
  const navigate = useNavigate()
  const channels = useSelect((s) => s.channels)
  const recent = useSelect((s) => s.preferences.searches)
  const completions = useCompletions(typed, archived)
  const away = (go: () => void) => () => {
    hearth.store.dispatch({ type: 'preferences', preferences: { searches: remember(recent, typed) } })
    onClose()
    // The dialog is gone before the page goes anywhere: it gives the focus back.
    requestAnimationFrame(go)
  }
  const toMessage = (match: SearchMatch) =>
    away(() => {
      const channel = channels[match.channel_id]
      void navigate(rowLink(channel ? addressOf(channel) : match.channel_id, match))
    })
  const toFile = (address: string, workspace: string, match: WorkbenchMatch) =>
    away(() => void navigate(fileLink(address, match, { ...(match.bench === `${workspace}/.flower` ? {} : { bench: match.bench }), ...(match.line > 0 ? { line: match.line } : {}) })))
  if (completions.length > 0) {
    const choices = completions.map((c) => ({ key: 'complete:' + c.text, show: <CompletionLine completion={c} />, run: () => onType(c.typed) }))
    return [{ key: 'completions', label: texts.everywhere.completions, choices }]
  }
  if (typed.trim() === '') {
    if (recent.length === 0) return []
    return [{ key: 'recent', label: texts.everywhere.recent, choices: recent.map((text) => ({ key: 'recent:' + text, show: <RecentLine text={text} />, run: () => onType(text) })) }]
  }
  const ofMessages = byChannel(found.matches).map((group): Part => {
    const channel = channels[group.channelId]
    return {
      key: group.channelId,
      label: channel ? nameOf(channel) : group.channel,
      count: `${group.matches.length}`,
      choices: group.matches.map((match) => ({ key: match.id, show: <MessageLine match={match} />, run: toMessage(match) })),
    }
  })
  const ofBenches = benches.map(({ channel, matches, more }): Part => ({
    key: 'workbench:' + channel.id,
    label: texts.everywhere.workbench(nameOf(channel)),
    choices: matches.map((match) => ({
      key: `file:${channel.id}:${match.bench}:${match.path_bytes || match.path}:${match.line}`, show: <FileLine match={match} typed={typed} />, run: toFile(addressOf(channel), channel.workspace, match),
    })),
    ...(more ? { note: texts.everywhere.benchMore } : {}),
  }))
  return [...ofMessages, ...ofBenches]
}
