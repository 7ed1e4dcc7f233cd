import { formatClock, formatDay, selectAgents, texts, useSelect, useSelector } from '@/core'
import { Button, EmptyState, ErrorNote, Spinner } from '@/ui'

/** DayLine begins a day. */
export function DayLine({ at }: { at: string }) {
  return (
    <div className="column flex items-center gap-3 pt-4 pb-1 text-small text-soft">
      <span className="h-px flex-1 bg-line" />
      <time dateTime={at}>{formatDay(at, new Date())}</time>
      <span className="h-px flex-1 bg-line" />
    </div>
  )
}

/** NewLine stands before the first row that is new to the person, until they leave. `since`: when the row before it was written. */
export function NewLine({ since }: { since: string }) {
  const now = new Date()
  const today = new Date(since).toDateString() === now.toDateString()
  return (
    <div className="column flex items-center gap-3 pt-2 pb-1 text-small font-medium text-accent">
      <span className="h-px flex-1 bg-accent" />
      {texts.messages.newSince(today ? formatClock(since) : `${formatDay(since, now)}, ${formatClock(since)}`)}
    </div>
  )
}

export interface EdgeProps {
  /** There are more rows to fetch. */
  more: boolean
  label: string
  problem: string | undefined
  onRetry: () => void
}

/** Edge stands at an end of what is held while the next page is fetched, or could not be. */
export function Edge({ more, label, problem, onRetry }: EdgeProps) {
  if (problem !== undefined) {
    return (
      <ErrorNote className="mx-5 my-3" action={<Button size="sm" onClick={onRetry}>{texts.common.tryAgain}</Button>}>
        {problem}
      </ErrorNote>
    )
  }
  if (!more) return null
  return (
    <div className="grid h-10 place-items-center text-soft">
      <Spinner label={label} />
    </div>
  )
}

/** Nothing stands in a place where nothing was written yet. */
export function Nothing({ channelId }: { channelId: string }) {
  const agents = useSelector(selectAgents, channelId)
  const first = agents[0]
  const archived = useSelect((s) => Boolean(s.channels[channelId]?.archived_at))
  if (archived) {
    return (
      <div className="flex h-full flex-col justify-end pb-6">
        <EmptyState title={texts.messages.emptyArchived} hint={texts.messages.emptyArchivedHint} />
      </div>
    )
  }
  return (
    <div className="flex h-full flex-col justify-end pb-6">
      <EmptyState title={texts.messages.empty} hint={texts.messages.emptyHint(first?.binding.handle)}>
        {first?.binding.runtime === 'cli:standin:agent' && <p className="text-small text-soft">{texts.messages.standin(first.binding.handle)}</p>}
      </EmptyState>
    </div>
  )
}
