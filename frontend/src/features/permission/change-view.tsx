import { useMemo, useState } from 'react'
import { texts } from '@/core'
import { Button, cx } from '@/ui'
import { diffLines, type DiffLine } from './diff'
import { HiddenNote, Revealed } from './revealed'
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
        className="max-h-[min(18rem,32vh)] overflow-auto rounded-md border border-line bg-side font-mono text-[0.8125rem] leading-5"
      >
        {parts.map((part, i) => {
          const lines = part.lines.slice(0, budget)
          budget -= lines.length
          return (
            <div key={i} className={cx(i > 0 && 'border-t border-line')}>
              {(part.whole || part.everyPlace) && (
                <p className="px-3 py-1 font-sans text-small text-soft">{part.whole ? texts.permission.tooLong : texts.permission.everyPlace}</p>
              )}
              <table className="w-full border-collapse">
                <tbody>
                  {lines.map((line, j) => (
                    <Line key={j} line={line} />
                  ))}
                </tbody>
              </table>
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

function Line({ line }: { line: DiffLine }) {
  if (line.kind === 'skip') {
    return (
      <tr>
        <td colSpan={3} className="px-3 py-0.5 font-sans text-small text-soft">{texts.permission.skipped(line.count)}</td>
      </tr>
    )
  }
  const sign = line.kind === 'added' ? '+' : line.kind === 'removed' ? '−' : ''
  return (
    <tr className={cx(line.kind === 'added' && 'bg-green-ground text-green', line.kind === 'removed' && 'bg-red-ground text-red')}>
      <Place n={line.kind === 'added' ? undefined : line.old} />
      <Place n={line.kind === 'removed' ? undefined : line.new} />
      <td className="pr-3 align-top [overflow-wrap:anywhere] whitespace-pre-wrap">
        <span aria-hidden className="inline-block w-4 select-none">{sign}</span>
        {line.kind !== 'same' && <span className="sr-only">{texts.permission[line.kind]}: </span>}
        <Revealed text={line.text} />
      </td>
    </tr>
  )
}

function Place({ n }: { n: number | undefined }) {
  return <td className="w-px px-1.5 text-right align-top text-small leading-5 whitespace-nowrap text-soft select-none">{n}</td>
}
