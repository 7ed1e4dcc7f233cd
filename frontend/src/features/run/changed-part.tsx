import { Link } from '@tanstack/react-router'
import type { Run } from '@/api'
import { formatCount, texts } from '@/core'
import { Tooltip } from '@/ui'

/** ChangedPart says in the line under a reply which files it changed, and leads to them; nothing where there are none. */
export function ChangedPart({ run, channel, tabIndex = 0 }: { run: Run; channel: string; tabIndex?: number }) {
  const { changed } = run
  if (!changed) return null
  const { sum, lines, linesSaid, allUndone, someUndone, hint } = texts.changes
  const added = formatCount(changed.added)
  const removed = formatCount(changed.removed)
  const undone = changed.undone === 0 ? '' : ` · ${changed.undone === changed.files ? allUndone : someUndone(changed.undone)}`
  return (
    <Tooltip side="bottom" content={hint}>
      <Link
        to="/c/$channel/runs/$run"
        params={{ channel, run: run.id }}
        hash="changes"
        tabIndex={tabIndex}
        className="rounded-sm px-1 text-small text-soft hover:bg-hover hover:text-text"
      >
        {sum(changed.files)}{' '}
        {changed.added + changed.removed > 0 && (
          <>
            <span aria-hidden className="tabular-nums">{lines(added, removed)}</span>
            <span className="sr-only">{linesSaid(added, removed)}</span>
          </>
        )}
        {undone}
      </Link>
    </Tooltip>
  )
}
