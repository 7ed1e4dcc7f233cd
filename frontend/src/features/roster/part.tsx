import { ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { cx } from '@/ui'

/** Part is one part of what is told of an agent: a heading that opens and closes it. `note` stands beside the heading. */
export function Part({ title, note, open: opened = false, children }: { title: string; note?: ReactNode; open?: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(opened)
  const body = useId()
  return (
    <section aria-label={title}>
      <h5>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={body}
          onClick={() => setOpen(!open)}
          className="-mx-1 flex w-[calc(100%+0.5rem)] items-start gap-1 rounded-sm px-1 py-0.5 text-left text-small font-medium hover:bg-hover"
        >
          <ChevronRight size={12} aria-hidden className={cx('mt-0.5 shrink-0 transition-transform', open && 'rotate-90')} />
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{title}</span>
          {note !== undefined && <span className="shrink-0 font-normal text-soft tabular-nums">{note}</span>}
        </button>
      </h5>
      <div id={body} hidden={!open} className="pt-0.5 pl-4">
        {open && children}
      </div>
    </section>
  )
}
