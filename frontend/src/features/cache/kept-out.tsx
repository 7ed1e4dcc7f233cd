import { useParams } from '@tanstack/react-router'
import type { CacheTotals } from '@/api'
import { formatCount, texts } from '@/core'
import { csvOf, type Column } from './columns'
import { DataTable } from './data-table'
import { ExportMenu } from './export-menu'

type Saved = CacheTotals['saved'][number]

const { cache } = texts
/** A rule that takes nothing out has no size. */
const some = (key: string, title: string, of: (s: Saved) => number): Column<Saved> => ({ key, title, of, show: (s) => (of(s) > 0 ? formatCount(of(s)) : '') })

const columns: readonly Column<Saved>[] = [
  { key: 'kind', title: cache.kept, of: (s) => s.kind, show: (s) => cache.kinds[s.kind] },
  some('times', cache.times, (s) => s.times),
  some('estimated_tokens', cache.keptTokens, (s) => s.estimated_tokens),
  some('chars', cache.characters, (s) => s.chars),
  some('lines', cache.keptLines, (s) => s.lines),
  some('faults', cache.faults, (s) => s.faults),
]

/** KeptOut is what Hearth's rules spared the agents' contexts, by rule. */
export function KeptOut({ saved }: { saved: readonly Saved[] }) {
  const { channel = '' } = useParams({ strict: false })
  return (
    <section aria-label={cache.kept} className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <h3 className="flex-1 text-large font-semibold">{cache.kept}</h3>
        {saved.length > 0 && <ExportMenu title={cache.kept} export={{ name: [channel, 'kept-out'], csv: () => csvOf(columns, saved), json: () => saved }} />}
      </div>
      <p className="text-small text-soft">{saved.length > 0 ? cache.keptHint : cache.keptNone}</p>
      {saved.length > 0 && <DataTable label={cache.kept} columns={columns} rows={saved} keyOf={(s) => s.kind} />}
    </section>
  )
}
