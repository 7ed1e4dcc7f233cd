import type { Considered, Sent } from './kinds'

export type Verdict = Considered['verdict']

/** The verdicts, what was told first. */
export const verdicts = ['addressed', 'shown', 'cut', 'replayed', 'beyond limit', 'held', 'own', 'seen', 'deleted', 'current'] as const satisfies readonly Verdict[]

/** groupsOf are the rows that were considered by what became of them; each group oldest first. */
export function groupsOf(considered: readonly Considered[]): { verdict: Verdict; rows: Considered[] }[] {
  return verdicts
    .map((verdict) => ({ verdict, rows: considered.filter((c) => c.verdict === verdict) }))
    .filter((group) => group.rows.length > 0)
}

/**
 * cutsOf is how many characters of each row that was cut were left out, by the row's id. The block of rows says so itself: its
 * lines that begin with "- [" are the rows shown, oldest first, and nothing else can begin so.
 */
export function cutsOf(sent: Sent): ReadonlyMap<string, number> {
  const out = new Map<string, number>()
  const block = sent.blocks.find((b) => b.kind === 'rows')
  if (!block) return out
  const told = sent.considered.filter((c) => c.verdict === 'shown' || c.verdict === 'cut')
  const entries = block.text.split(/\n(?=- \[)/).slice(1)
  if (entries.length !== told.length) return out
  told.forEach(({ row_id, verdict }, i) => {
    const left = / … \[(\d+) more characters; channel_history has the full message\]$/.exec(entries[i] ?? '')?.[1]
    if (verdict === 'cut' && left !== undefined) out.set(row_id, Number(left))
  })
  return out
}
