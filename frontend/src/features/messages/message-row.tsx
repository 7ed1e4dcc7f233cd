import { MessageSquareReply } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { memo, useId, useState } from 'react'
import type { Row, Run } from '@/api'
import { formatClock, formatFull, isReply, texts, useSelect } from '@/core'
import { MessageBody } from '@/features/markdown'
import { RunFooter, usedNothing, type RowFocus } from '@/features/run'
import { Avatar, cx, RelativeTime, Tooltip } from '@/ui'
import { Edited } from './earlier'
import { EditRow } from './edit-row'
import { RowActions } from './row-actions'

export interface MessageRowProps {
  row: Row
  run: Run | undefined
  /** It begins a group: it says who wrote it. */
  head: boolean
  handles: readonly string[]
  /** How the channel is named in addresses. */
  channel: string
  /** It was jumped to. */
  marked: boolean
  /** It stands in a thread: it has no thread of its own. */
  inThread: boolean
  /** Its place among what the arrow keys move between. */
  itemKey: string
  chosen: boolean
}

/** MessageRow is one message: who, when, what, and for an agent's reply what the turn used. */
export const MessageRow = memo(function MessageRow({ row, run, head, handles, channel, marked, inThread, itemKey, chosen }: MessageRowProps) {
  const name = row.handle || texts.common.you
  const body = useId()
  const editing = useSelect((s) => s.editing === row.id)
  const gone = useSelect((s) => Boolean(row.deleted_at) || row.id in s.leaving)
  const [over, setOver] = useState(false)
  const [within, setWithin] = useState(false)
  const focus: RowFocus = { tabIndex: chosen ? 0 : -1, 'data-key': itemKey }
  return (
    <article
      {...focus}
      data-row={row.id}
      aria-label={`${name}, ${formatFull(row.created_at)}`}
      aria-describedby={body}
      onPointerEnter={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
      onFocus={() => setWithin(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setWithin(false)
      }}
      className={cx('group/row -outline-offset-2 transition-colors hover:bg-side', marked && 'bg-accent-ground')}
    >
      <div className={cx('column relative flex gap-3', head ? 'pt-2 pb-0.5' : 'py-0.5')}>
        {head ? (
          <Avatar name={name} agent={row.kind === 'agent'} />
        ) : (
          <time
            aria-hidden
            dateTime={row.created_at}
            className="w-7 shrink-0 text-end text-[0.625rem] leading-[1.375rem] text-soft opacity-0 group-hover/row:opacity-100"
          >
            {formatClock(row.created_at)}
          </time>
        )}
        <div className="min-w-0 flex-1">
          {(head || row.note === 'interim') && <Head row={row} run={run} name={head ? name : ''} />}
          {gone ? (
            <p id={body} className="text-soft italic">{texts.messages.deleted}</p>
          ) : editing ? (
            <EditRow row={row} />
          ) : (
            <div id={body}>
              <MessageBody id={isReply(row) ? row.run_id : row.id} text={row.body} channelId={row.channel_id} handles={handles} />
            </div>
          )}
          {row.edited_at && !editing && !gone && <Edited row={row} at={row.edited_at} />}
          {run && isReply(row) && <RunFooter run={run} channel={channel} stop={chosen} reply={row.body} />}
          {!inThread && row.thread_size > 0 && <ThreadLink row={row} channel={channel} />}
        </div>
        {(over || within) && !editing && <RowActions row={row} channel={channel} inThread={inThread} />}
      </div>
    </article>
  )
})

/** Head says who wrote, when, and what kind of word it is. Words on the way say so even in the middle of a group. */
function Head({ row, run, name }: { row: Row; run: Run | undefined; name: string }) {
  const local = row.note === 'command' && run !== undefined && usedNothing(run)
  const note = row.note === '' ? '' : texts.messages[row.note] + (local ? ` · ${texts.messages.noModel}` : '')
  return (
    <div className="flex items-baseline gap-2">
      {name !== '' && (
        <>
          <span className="truncate font-semibold" dir="auto">{name}</span>
          <RelativeTime time={row.created_at} className="shrink-0 text-small text-soft" />
        </>
      )}
      {note !== '' && (
        <Tooltip content={texts.messages.noteHint[row.note === '' ? 'interim' : row.note]}>
          <span className={cx('shrink-0 text-small', row.note === 'declined' ? 'rounded-sm bg-amber-ground px-1 text-amber' : 'text-soft')}>{note}</span>
        </Tooltip>
      )}
    </div>
  )
}

function ThreadLink({ row, channel }: { row: Row; channel: string }) {
  const news = useSelect((s) => s.threadNews[row.id] ?? 0)
  return (
    <div>
      <Link
        to="/c/$channel/t/$root"
        params={{ channel, root: row.id }}
        className="-ml-1 inline-flex min-h-6 items-center gap-1 rounded-sm px-1 text-small font-medium text-accent hover:bg-hover"
      >
        <MessageSquareReply size={12} aria-hidden />
        {texts.messages.replies(row.thread_size)}
        {news > 0 && <span className="rounded-full bg-accent px-1.5 text-on-accent">{texts.messages.threadNews(news)}</span>}
      </Link>
    </div>
  )
}
