import { Link, useParams } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Row, Run } from '@/api'
import { formatCount, rowLink, texts, whenOf } from '@/core'
import { cx } from '@/ui'
import { cutsOf, groupsOf, type Verdict } from './considered'
import type { Considered, Sent } from './kinds'
import { useRows } from './use-turn'

/** What was told is shown at once; of the rest, so many rows a group. */
const openUpTo = 4
const told: ReadonlySet<Verdict> = new Set(['addressed', 'shown', 'cut', 'beyond limit', 'held'])

const whoOf = (row: Row) => row.handle || texts.common.you

/** ConsideredRows are the rows that were looked at for a turn, by what became of them and why. */
export function ConsideredRows({ run, sent }: { run: Run; sent: Sent }) {
  const ids = sent.considered.map((c) => c.row_id)
  const rowOf = useRows(run, ids)
  const cuts = cutsOf(sent)
  const groups = groupsOf(sent.considered)
  return (
    <section aria-label={texts.context.rows}>
      <h4 className="font-semibold">{texts.context.rows}</h4>
      <p className="text-soft">{ids.length === 0 ? texts.context.rowsNone : texts.context.rowsCount(ids.length)}</p>
      {groups.map((group) => (
        <Group key={group.verdict} {...group} rowOf={rowOf} cuts={cuts} />
      ))}
      {sent.omitted && <OmittedRows omitted={sent.omitted} />}
    </section>
  )
}

function Group({ verdict, rows, rowOf, cuts }: { verdict: Verdict; rows: readonly Considered[]; rowOf: (id: string) => Row | null | undefined; cuts: ReadonlyMap<string, number> }) {
  const [open, setOpen] = useState(told.has(verdict) || rows.length <= openUpTo)
  const name = texts.context.verdicts[verdict]
  return (
    <div className="mt-2">
      <h5>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="-mx-1 flex w-full items-start gap-1.5 rounded-sm px-1 text-start hover:bg-hover">
          <ChevronRight size={14} aria-hidden className={cx('mt-1 shrink-0 text-soft transition-transform', open && 'rotate-90')} />
          <span className="min-w-0">
            <span className="font-medium">{name}</span> <span className="text-soft">{formatCount(rows.length)} · {texts.context.reasons[verdict]}</span>
          </span>
        </button>
      </h5>
      {open && (
        <ul className="ms-5">
          {rows.map(({ row_id: id, corrects = false }) => (
            <li key={`${id} ${corrects}`}>
              <RowLine id={id} row={rowOf(id)} cut={cuts.get(id)} corrects={corrects} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function RowLine({ id, row, cut, corrects }: { id: string; row: Row | null | undefined; cut: number | undefined; corrects: boolean }) {
  const { channel = '' } = useParams({ strict: false })
  if (row === null) return <p className="text-soft">{texts.context.rowGone}</p>
  return (
    <Link
      {...rowLink(channel, row ?? { id, thread_root_id: '' })}
      className="-mx-1 flex min-h-6 items-baseline gap-2 rounded-sm px-1 hover:bg-hover"
    >
      {row && (
        <>
          <span className="max-w-28 shrink-0 truncate font-medium" dir="auto">{whoOf(row)}</span>
          <span className="min-w-0 flex-1 truncate text-soft" dir="auto">{row.deleted_at ? texts.messages.deleted : row.body}</span>
          {corrects && <span className="shrink-0 rounded-sm bg-side px-1 text-small">{texts.context.correction}</span>}
          {cut !== undefined && <span className="shrink-0 rounded-sm bg-side px-1 text-small">{texts.context.cutBy(formatCount(cut))}</span>}
          <span className="shrink-0 text-small text-soft">{whenOf(row.created_at)}</span>
        </>
      )}
      {!row && <span className="h-3 w-2/3 self-center rounded-sm bg-hover" />}
    </Link>
  )
}

function OmittedRows({ omitted }: { omitted: NonNullable<Sent['omitted']> }) {
  const { channel = '' } = useParams({ strict: false })
  const by = Object.entries(omitted.by).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  return (
    <p className="mt-3 rounded-md bg-side px-3 py-2">
      <span className="font-medium">{texts.context.omitted(omitted.count)}</span>
      {': '}
      {by.map(([handle, n]) => texts.context.omittedBy(n, handle || texts.common.you)).join(texts.common.and)}.{' '}
      <span className="text-soft">{texts.context.omittedHint}</span>
      {omitted.before !== '' && (
        <>
          {' '}
          <Link to="/c/$channel/m/$row" params={{ channel, row: omitted.before }} className="rounded-sm text-accent underline underline-offset-2">
            {texts.context.omittedGo}
          </Link>
        </>
      )}
    </p>
  )
}
