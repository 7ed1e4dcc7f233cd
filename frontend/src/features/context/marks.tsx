import type { Run } from '@/api'
import { exactOf, formatCount, texts } from '@/core'
import { arrived, mostIds } from './knowledge'
import type { Sent, Watermark } from './kinds'

/** Marks are the watermark of a turn's session in its place: before it, after it, and whether the change holds. */
export function Marks({ run, sent }: { run: Run; sent: Sent }) {
  const { watermark_before: before, watermark_staged: staged } = sent
  const ok = arrived(run)
  const note = ok === undefined ? texts.context.pending : !ok ? texts.context.dropped : run.state === 'failed' || run.state === 'stopped' ? texts.context.kept : ''
  return (
    <section aria-label={texts.context.mark}>
      <h4 className="font-semibold">{texts.context.mark}</h4>
      <p className="text-soft">{texts.context.markHint}</p>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4">
        <dt className="text-soft">{texts.context.before}</dt>
        <dd>{before === undefined ? texts.context.markNone : before.native === run.native ? markText(before) : texts.context.markOther}</dd>
        <dt className="text-soft">{texts.context.after}</dt>
        <dd>
          <span className={ok === false ? 'line-through' : undefined}>{staged ? markText(staged) : texts.context.markNone}</span>
        </dd>
      </dl>
      {staged && staged.ids.length >= mostIds && <p className="text-small text-soft">{texts.context.markMost}</p>}
      {note && <p className="text-soft">{note}</p>}
    </section>
  )
}

const markText = (mark: Watermark): string =>
  [...(mark.last_at ? [texts.context.markUpTo(exactOf(mark.last_at))] : []), ...(mark.ids.length > 0 ? [texts.context.markIds(formatCount(mark.ids.length))] : [])].join(
    texts.common.and,
  ) || texts.context.markNone
