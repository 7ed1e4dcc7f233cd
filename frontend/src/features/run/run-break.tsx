import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { CacheBreak, ProcessEnd, Run } from '@/api'
import { formatTokens, texts } from '@/core'
import { cx, Tooltip } from '@/ui'

/** breakOf says in a sentence how much a turn read anew, and why. */
export function breakOf(found: CacheBreak): string {
  return texts.breaks.reread(formatTokens(found.missed_tokens), whyOf(found))
}

/** whyOf is the cause of a break in a few words. */
export function whyOf({ cause, evidence: { edited, anew, restored, process_end: end } }: CacheBreak): string {
  const { breaks, endings } = texts
  if (edited.length > 0) return breaks.edited(edited)
  if (cause !== 'new_process') return breaks.because[cause]
  if (end && restored) return breaks.restored(endings[end.how])
  if (end && end.how !== 'unknown') return endings[end.how]
  const what = anew ? breaks.anew : breaks.because[cause]
  return end ? breaks.open(what, endings.unknown) : what
}

/** endingOf is how a process ended, with the reason where that says more. */
export const endingOf = ({ how, reason }: ProcessEnd): string => texts.endings[how] + (reason && how !== 'fresh' && how !== 'lost' ? ': ' + reason : '')

/** RunBreak is the sentence under a reply that the cache broke, with a mark when it is an alarm; it leads to the run. */
export function RunBreak({ run, channel, tabIndex }: { run: Run; channel: string; tabIndex: number }) {
  if (!run.break) return null
  const { quiet, cause } = run.break
  return (
    <Tooltip side="bottom" content={texts.breaks.about[cause]}>
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
