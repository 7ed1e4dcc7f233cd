import { ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import { selectQueue, texts, useSelector } from '@/core'
import { cx, lowWindow, useMedia } from '@/ui'
import { QueueItem } from './queue-item'

export interface QueueStripProps {
  channelId: string
}

/** QueueStrip lists what waits until its agent is done with another turn, in order; each can be changed or taken out. Nothing when nothing waits. */
export function QueueStrip({ channelId }: QueueStripProps) {
  const queue = useSelector(selectQueue, channelId)
  const low = useMedia(lowWindow)
  const [chosen, setOpen] = useState<boolean>()
  const open = chosen ?? !low
  const list = useRef<HTMLOListElement>(null)
  if (queue.length === 0) return null
  /** The focus goes to the item that takes the place of one that was taken out. */
  const focusAfter = (index: number) => {
    const next = list.current?.children[index + 1] ?? list.current?.children[index - 1]
    next?.querySelector<HTMLElement>('button:last-of-type')?.focus()
  }
  return (
    <section aria-label={texts.queue.title(queue.length)} className="rounded-md border border-line bg-side py-1 pr-1 pl-1.5">
      <button
        type="button"
        aria-expanded={open}
        aria-label={open ? texts.queue.hide : texts.queue.show}
        onClick={() => setOpen(!open)}
        className="flex items-center gap-1.5 rounded-sm px-1 text-small text-soft hover:bg-hover hover:text-text"
      >
        <ChevronRight size={12} aria-hidden className={cx('transition-transform', open && 'rotate-90')} />
        {texts.queue.title(queue.length)}
      </button>
      {open && (
        <ol ref={list} className="max-h-40 overflow-y-auto">
          {queue.map((run, i) => (
            <QueueItem key={run.id} run={run} place={i + 1} onTaken={() => focusAfter(i)} />
          ))}
        </ol>
      )}
    </section>
  )
}
