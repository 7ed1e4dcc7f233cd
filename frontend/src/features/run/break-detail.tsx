import { Link, useParams } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import type { CacheBreak, ProcessEnd } from '@/api'
import { formatCount, formatDuration, texts, whenOf } from '@/core'
import { cx } from '@/ui'
import { breakOf, endingOf } from './run-break'

export interface BreakDetailProps {
  found: CacheBreak
  /** Whether the address points here: it is marked, and comes into view. */
  chosen?: boolean
  /** Where else to go from here. */
  children?: ReactNode
}

/** BreakDetail says what happened to the cache in a turn and what that was judged by. */
export default function BreakDetail({ found, chosen = false, children }: BreakDetailProps) {
  const { channel = '' } = useParams({ strict: false })
  const end = found.evidence.process_end
  const advice = adviceOf(found)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (chosen) section.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <section ref={section} aria-label={texts.breaks.title} className={cx('-mx-2 flex flex-col gap-2 rounded-md px-2 py-2', found.quiet ? chosen && 'bg-accent-ground' : 'bg-amber-ground')}>
      <p className={cx('flex items-start gap-2', !found.quiet && 'text-amber')}>
        {!found.quiet && <TriangleAlert size={16} aria-hidden className="mt-[3px] shrink-0" />}
        <span>
          <span className="font-medium">{breakOf(found)}</span> {texts.breaks.about[found.cause]} {found.quiet && (found.cause === 'new_process' ? texts.breaks.quietAnew : texts.breaks.quiet)}
        </span>
      </p>
      <dl className="grid grid-cols-[6rem_1fr] gap-x-4 gap-y-0.5">
        {evidenceOf(found).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {advice !== '' && <p>{advice}</p>}
      <p className="flex flex-wrap gap-x-4">
        {found.before_run_id !== '' && (
          <Link to="/c/$channel/runs/$run" params={{ channel, run: found.before_run_id }} search={({ wide }: { wide?: true }) => (wide ? { wide } : {})} className="rounded-sm text-accent underline underline-offset-2">
            {texts.breaks.before}
          </Link>
        )}
        {end && advice !== '' && (
          <Link to="/c/$channel/roster" params={{ channel }} className="rounded-sm text-accent underline underline-offset-2">
            {texts.breaks.agents}
          </Link>
        )}
        {end?.how === 'crashed' && (
          <Link to="/logs" className="rounded-sm text-accent underline underline-offset-2">
            {texts.breaks.log}
          </Link>
        )}
        {children}
      </p>
    </section>
  )
}

/** adviceOf is what one can do about the end of the process before, where it was that end that cost something; empty: nothing. */
function adviceOf({ cause, evidence: { edited, restored, process_end: end } }: CacheBreak): string {
  const mattered = edited.length > 0 || (cause === 'new_process' && !restored)
  return end && mattered ? texts.breaks.advice[end.how] : ''
}

/** endedOf is how and when a process ended, as far as that is known. */
function endedOf(end: ProcessEnd): string {
  const said = endingOf(end)
  if (end.at === undefined) return said
  return `${said} (${end.how === 'lost' ? texts.breaks.noticed(whenOf(end.at)) : whenOf(end.at)})`
}

/** evidenceOf is what a break was judged by, name by name, as far as it is known. */
function evidenceOf({ evidence: e }: CacheBreak): [string, string][] {
  const { breaks } = texts
  const sized = (name: string, bytes: number) => (bytes > 0 ? breaks.bytes(name, formatCount(bytes)) : name)
  const rows: [string, string][] = [
    [breaks.left, breaks.leftHint(formatCount(e.left_tokens))],
    [breaks.read, formatCount(e.read_tokens)],
    [breaks.sent, formatCount(e.sent_tokens)],
  ]
  rows.push([breaks.idle, e.idle_ms === undefined ? breaks.idleUnknown(formatDuration(e.life_ms)) : breaks.idleHint(formatDuration(e.idle_ms), formatDuration(e.life_ms))])
  if (e.process_end) rows.push([breaks.processBefore, endedOf(e.process_end)])
  if (e.differs !== '') {
    rows.push([breaks.differs, breaks.parts[e.differs]])
    if (e.was !== '') rows.push([breaks.was, sized(e.was, e.was_bytes)], [breaks.is, sized(e.is, e.is_bytes)])
  }
  if (e.api_said !== '') rows.push([breaks.said, e.api_tokens > 0 ? breaks.saidTokens(e.api_said, formatCount(e.api_tokens)) : e.api_said])
  const besides = [e.same_process && breaks.sameProcess, e.anew && breaks.startedAnew, !e.complete && breaks.incomplete].filter((said) => said !== false)
  if (besides.length > 0) rows.push([breaks.besides, besides.join(' ')])
  return rows
}
