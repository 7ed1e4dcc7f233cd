import { texts } from '@/core'
import { cx } from '@/ui'
import { Revealed } from './revealed'

/** One line of a comparison, with its number in the old and the new text; `skip` stands for lines that stay. */
export type DiffLine =
  | { kind: 'same'; old: number; new: number; text: string; note?: string }
  | { kind: 'removed'; old: number; text: string; note?: string }
  | { kind: 'added'; new: number; text: string; note?: string }
  | { kind: 'skip'; count: number }

/** DiffTable draws lines of a comparison, with the numbers of the lines in the old and the new text. */
export function DiffTable({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <table className="w-full border-collapse font-mono text-[0.8125rem] leading-5">
      <tbody>
        {lines.map((line, i) => (
          <Line key={i} line={line} />
        ))}
      </tbody>
    </table>
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
        {line.note && <span className="ms-2 font-sans text-small text-soft select-none">{line.note}</span>}
      </td>
    </tr>
  )
}

function Place({ n }: { n: number | undefined }) {
  return <td className="w-px px-1.5 text-right align-top text-small leading-5 whitespace-nowrap text-soft select-none">{n}</td>
}
