import { Link2, MessageSquareReply } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { Row, Run } from '@/api'
import { formatFull, isReply, texts } from '@/core'
import { Markdown } from '@/features/markdown'
import { RunFooter } from '@/features/run'
import { Avatar, cx, IconButton, RelativeTime, useToast } from '@/ui'

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
}

/** MessageRow is one message: who, when, what, and for an agent's reply what the turn used. */
export const MessageRow = memo(function MessageRow({ row, run, head, handles, channel, marked, inThread }: MessageRowProps) {
  const name = row.handle || texts.common.you
  const agent = row.kind === 'agent'
  const note = row.note === '' ? '' : texts.messages[row.note]
  return (
    <article
      aria-label={`${name}, ${formatFull(row.created_at)}`}
      className={cx('group/row hover:bg-side', marked && 'bg-accent-ground')}
    >
      <div className={cx('column relative flex gap-3', head ? 'pt-1.5 pb-0.5' : 'py-0.5')}>
      {head ? <Avatar name={name} agent={agent} /> : <span aria-hidden className="w-7 shrink-0" />}
      <div className="min-w-0 flex-1">
        {head && (
          <div className="flex items-baseline gap-2">
            <span className="truncate font-semibold" dir="auto">{name}</span>
            <RelativeTime time={row.created_at} className="shrink-0 text-small text-soft" />
            {note && <span className="text-small text-soft">{note}</span>}
          </div>
        )}
        <Markdown text={row.body} handles={handles} />
        {run && isReply(row) && <RunFooter run={run} channel={channel} />}
        {!inThread && row.thread_size > 0 && (
          <div>
            <Link
              to="/c/$channel/t/$root"
              params={{ channel, root: row.id }}
              className="-ml-1 inline-flex items-center gap-1 rounded-sm px-1 text-small font-medium text-accent hover:bg-hover"
            >
              <MessageSquareReply size={12} aria-hidden />
              {texts.messages.replies(row.thread_size)}
            </Link>
          </div>
        )}
      </div>
      <RowActions row={row} channel={channel} inThread={inThread} />
      </div>
    </article>
  )
})

function RowActions({ row, channel, inThread }: { row: Row; channel: string; inThread: boolean }) {
  const toast = useToast()
  const link = `${location.origin}/c/${encodeURIComponent(channel)}/m/${row.id}`
  return (
    <div
      role="group"
      aria-label={texts.messages.actions}
      className="absolute -top-3 right-4 flex rounded-md border border-line bg-raised opacity-0 transition-opacity group-focus-within/row:opacity-100 group-hover/row:opacity-100"
    >
      {!inThread && (
        <Link
          to="/c/$channel/t/$root"
          params={{ channel, root: row.id }}
          aria-label={texts.messages.openThread}
          className="grid size-6 place-items-center rounded-md text-soft hover:bg-hover hover:text-text"
        >
          <MessageSquareReply size={14} aria-hidden />
        </Link>
      )}
      <IconButton
        size="sm"
        label={texts.messages.copyLink}
        onClick={() => void navigator.clipboard.writeText(link).then(() => toast({ message: texts.common.copied, duration: 2000 }), () => undefined)}
      >
        <Link2 size={14} aria-hidden />
      </IconButton>
    </div>
  )
}
