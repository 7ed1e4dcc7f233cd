import { Link, useParams } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { CacheBreak, Run } from '@/api'
import { formatCount, formatDuration, formatTokens, texts } from '@/core'
import { cx, Tooltip } from '@/ui'

/** breakOf says in a sentence how much a turn read anew, and why. */
export function breakOf({ missed_tokens, cause, evidence }: CacheBreak): string {
  return texts.breaks.reread(formatTokens(missed_tokens), whyOf(cause, evidence))
}

function whyOf(cause: CacheBreak['cause'], { edited, anew }: CacheBreak['evidence']): string {
  if (edited.length > 0) return texts.breaks.edited(edited)
  return cause === 'new_process' && anew ? texts.breaks.anew : texts.breaks.because[cause]
}

/** RunBreak is the sentence under a reply that the cache broke, with a mark when it is an alarm; it leads to the run. */
export function RunBreak({ run, channel, tabIndex }: { run: Run; channel: string; tabIndex: number }) {
  if (!run.break) return null
  const { quiet, sentence } = run.break
  return (
    <Tooltip side="bottom" content={sentence}>
      <Link
        to="/c/$channel/runs/$run"
        params={{ channel, run: run.id }}
        hash="cache"
        tabIndex={tabIndex}
        className={cx('flex items-center gap-1 rounded-sm px-1 text-small hover:bg-hover', quiet ? 'text-soft hover:text-text' : 'text-amber')}
      >
        {!quiet && <TriangleAlert size={12} aria-hidden className="shrink-0" />}
        {breakOf(run.break)}
      </Link>
    </Tooltip>
  )
}

/** RunBreakDetail says what happened to the cache in a turn and what that was judged by. */
export function RunBreakDetail({ found, chosen }: { found: CacheBreak; chosen: boolean }) {
  const { channel = '' } = useParams({ strict: false })
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (chosen) section.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const link = 'rounded-sm text-accent underline underline-offset-2'
  return (
    <section ref={section} aria-label={texts.breaks.title} className={cx('-mx-2 flex flex-col gap-2 rounded-md px-2 py-2', found.quiet ? chosen && 'bg-accent-ground' : 'bg-amber-ground')}>
      <p className={cx('flex items-start gap-2', !found.quiet && 'text-amber')}>
        {!found.quiet && <TriangleAlert size={16} aria-hidden className="mt-[3px] shrink-0" />}
        <span>
          <span className="font-medium">{texts.breaks.missed(formatTokens(found.missed_tokens))}</span> {found.sentence}
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
      <p className="flex flex-wrap gap-x-4">
        <Link to="/c/$channel/runs/$run" params={{ channel, run: found.before_run_id }} className={link}>
          {texts.breaks.before}
        </Link>
        <Link to="/c/$channel/cache" params={{ channel }} className={link}>
          {texts.breaks.all}
        </Link>
      </p>
    </section>
  )
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
  if (e.idle_ms !== undefined) rows.push([breaks.idle, breaks.idleHint(formatDuration(e.idle_ms), formatDuration(e.life_ms))])
  if (e.differs !== '') {
    rows.push([breaks.differs, breaks.parts[e.differs]])
    if (e.was !== '') rows.push([breaks.was, sized(e.was, e.was_bytes)], [breaks.is, sized(e.is, e.is_bytes)])
  }
  if (e.api_said !== '') rows.push([breaks.said, e.api_tokens > 0 ? breaks.saidTokens(e.api_said, formatCount(e.api_tokens)) : e.api_said])
  return rows
}
