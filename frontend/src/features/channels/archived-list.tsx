import { Link } from '@tanstack/react-router'
import { ArchiveRestore, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { addressOf, nameOf, selectArchived, texts, useSelect } from '@/core'
import { cx, IconButton } from '@/ui'
import { useChannelActions } from './actions'

/** ArchivedList is what was put away, behind one line; each can be looked at and brought back. */
export function ArchivedList({ current, onGo }: { current: string | undefined; onGo: (() => void) | undefined }) {
  const archived = useSelect(selectArchived)
  const { unarchive } = useChannelActions()
  const [wanted, setOpen] = useState<boolean>()
  if (archived.length === 0) return null
  const open = wanted ?? archived.some((c) => c.id === current)
  return (
    <section aria-label={texts.channels.archivedList(archived.length)} className="mt-3">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-7 w-full items-center gap-1 rounded-md px-1 text-small font-medium text-soft hover:bg-hover hover:text-text"
      >
        <ChevronRight size={14} aria-hidden className={cx('transition-transform', open && 'rotate-90')} />
        {texts.channels.archivedList(archived.length)}
      </button>
      {open && (
        <ul className="flex flex-col gap-px">
          {archived.map((channel) => (
            <li key={channel.id} className="group relative">
              <Link
                to="/c/$channel"
                params={{ channel: addressOf(channel) }}
                onClick={onGo}
                aria-current={channel.id === current ? 'page' : undefined}
                className="flex h-7 items-center gap-2 rounded-md pr-8 pl-6 text-soft transition-colors group-hover:bg-hover hover:text-text aria-[current]:bg-chosen aria-[current]:text-text"
              >
                <span className="truncate" dir="auto">
                  {nameOf(channel)}
                </span>
              </Link>
              <IconButton
                label={texts.channels.unarchive}
                size="sm"
                onClick={() => void unarchive(channel.id)}
                className="absolute top-0.5 right-0.5 opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
              >
                <ArchiveRestore size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
