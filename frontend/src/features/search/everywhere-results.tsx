import type { ReactNode } from 'react'
import { Clock, CornerDownRight, FileText, Filter } from 'lucide-react'
import type { SearchMatch, WorkbenchMatch } from '@/api'
import { formatCount, texts } from '@/core'
import { Marked } from '@/features/workbench'
import { cx, RelativeTime } from '@/ui'
import type { Completion } from './use-completions'
import { parts, wordsOf } from './typed'

/** Something that can be chosen in the list. */
export interface Choice {
  key: string
  show: ReactNode
  run: () => void
}

/** Part is a heading with choices under it. */
export interface Part {
  key: string
  label: string
  /** Beside the heading. */
  count?: string
  choices: readonly Choice[]
  /** Under the choices. */
  note?: string
}

const line = 'flex min-w-0 items-baseline gap-2'

export function CompletionLine({ completion }: { completion: Completion }) {
  return (
    <span className={line}>
      <Filter size={12} aria-hidden className="shrink-0 self-center text-soft" />
      <span className="truncate font-medium" dir="auto">{completion.text}</span>
      <span className="min-w-0 flex-1 truncate text-small text-soft" dir="auto">{completion.detail}</span>
    </span>
  )
}

export function RecentLine({ text }: { text: string }) {
  return (
    <span className={line}>
      <Clock size={12} aria-hidden className="shrink-0 self-center text-soft" />
      <span className="min-w-0 flex-1 truncate" dir="auto">{text}</span>
    </span>
  )
}

/** MessageLine is a message that was found: who and when, and what of it was found. */
export function MessageLine({ match }: { match: SearchMatch }) {
  const who = match.kind === 'user' && match.handle === '' ? texts.common.you : match.kind === 'agent' ? '@' + match.handle : match.handle
  return (
    <span className="block min-w-0">
      <span className={cx(line, 'text-small')}>
        <span className="truncate font-medium" dir="auto">{who}</span>
        <span className="shrink-0 text-soft"><RelativeTime time={match.created_at} /></span>
        {match.thread_root_id !== '' && (
          <span className="shrink-0 text-soft">
            <CornerDownRight size={11} aria-hidden className="mr-1 inline align-[-1px]" />
            {texts.everywhere.inThread}
          </span>
        )}
      </span>
      <span className="line-clamp-2 break-words" dir="auto">
        {parts(match.snippet, match.ranges).map((part, i) => (part.found ? <Mark key={i}>{part.text}</Mark> : part.text))}
      </span>
    </span>
  )
}

const Mark = ({ children }: { children: string }) => (
  <mark className="rounded-[2px] bg-amber-ground text-text underline decoration-amber decoration-2">{children}</mark>
)

export function FileLine({ match, typed }: { match: WorkbenchMatch; typed: string }) {
  return (
    <span className="block min-w-0">
      <span className={cx(line, 'text-small')}>
        <FileText size={12} aria-hidden className="shrink-0 self-center text-soft" />
        <span className="truncate font-medium" dir="auto"><Marked text={match.shown} sought={match.line === 0 ? wordsOf(typed) : ''} /></span>
        {match.line > 0 && <span className="shrink-0 text-soft">{texts.everywhere.line(formatCount(match.line))}</span>}
      </span>
      {match.line > 0 && <span className="block truncate font-mono text-[0.75rem]" dir="auto"><Marked text={match.text} sought={wordsOf(typed)} /></span>}
    </span>
  )
}
