import { useMemo, useState } from 'react'
import { texts } from '@/core'
import { Button, cx } from '@/ui'
import { diffLines } from './diff'
import { DiffTable, HiddenNote } from '@/features/diff'
import type { FileChange } from './wanted-of'

/** How many lines of a change are drawn before it is asked for more. */
const atFirst = 300

/** ChangeView is what a tool would change in a file, line by line, with the numbers of the lines in the old and the new text. */
export default function ChangeView({ change }: { change: FileChange }) {
  const parts = useMemo(() => change.edits.map((e) => ({ ...e, ...diffLines(e.before, e.after) })), [change])
  const [all, setAll] = useState(false)
  let budget = all ? Infinity : atFirst
  const total = parts.reduce((sum, p) => sum + p.lines.length, 0)
  return (
    <div className="flex flex-col gap-1">
      <div
        role="region"
        aria-label={texts.permission.changes(change.path)}
        // It may be longer than its place, so it has to be reachable by keyboard.
        tabIndex={0}
        dir="ltr"
        className="max-h-[min(18rem,32vh)] overflow-auto rounded-md border border-line bg-side"
      >
        {parts.map((part, i) => {
          const lines = part.lines.slice(0, budget)
          budget -= lines.length
          return (
            <div key={i} className={cx(i > 0 && 'border-t border-line')}>
              {(part.whole || part.everyPlace) && (
                <p className="px-3 py-1 font-sans text-small text-soft">{part.whole ? texts.permission.tooLong : texts.permission.everyPlace}</p>
              )}
              <DiffTable lines={lines} />
            </div>
          )
        })}
      </div>
      <HiddenNote text={change.edits.map((e) => e.before + e.after).join('')} />
      {!all && total > atFirst && (
        <div className="flex items-center gap-2 text-small text-soft">
          {texts.permission.cut(total - atFirst)}
          <Button size="sm" onClick={() => setAll(true)}>{texts.permission.showAll}</Button>
        </div>
      )}
    </div>
  )
}
