import { Link, useParams } from '@tanstack/react-router'
import { CornerDownRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Saving } from '@/api'
import { texts } from '@/core'
import { Tooltip } from '@/ui'
import { aboutTokens, placeOfSpill, remedyOf, shortPlace } from './kept'

/** KeptTotal heads the steps of a turn: about how much was kept out in it; nothing where nothing was. */
export function KeptTotal({ tokens }: { tokens: number }) {
  if (tokens <= 0) return null
  return (
    <p className="flex py-0.5 text-small text-soft">
      <Tooltip content={texts.economy.kept.totalHint}>
        <span>{texts.economy.kept.total(aboutTokens(tokens))}</span>
      </Tooltip>
    </p>
  )
}

/** KeptMarks stand in the line of a step: it was a glance, or its worker was isolated. */
export function KeptMarks({ savings }: { savings: readonly Saving[] }) {
  const has = (kind: Saving['kind']) => savings.some((s) => s.kind === kind)
  return (
    <>
      {has('glance') && <Mark>{texts.economy.kept.glance}</Mark>}
      {has('isolated') && <Mark>{texts.economy.kept.isolated}</Mark>}
    </>
  )
}

function Mark({ children }: { children: string }) {
  return <span className="shrink-0 rounded-sm border border-edge px-1 text-soft">{children}</span>
}

/** KeptLines stand under a step: where what it printed is, what Hearth's rules made of it, and what went wrong. */
export function KeptLines({ savings }: { savings: readonly Saving[] }) {
  if (savings.length === 0) return null
  return (
    <ul className="pl-5">
      {savings.map((saving, i) => (
        <li key={i} className="flex gap-1.5 py-0.5 text-soft">
          <CornerDownRight size={12} aria-hidden className="mt-0.5 shrink-0" />
          <div className="min-w-0 [overflow-wrap:anywhere]">{atStep(saving)}</div>
        </li>
      ))}
    </ul>
  )
}

function atStep(saving: Saving): ReactNode {
  const { kept } = texts.economy
  switch (saving.kind) {
    case 'spill':
      return <Spilled saving={saving} />
    case 'denial':
      return kept.denied
    case 'glance':
      return kept.glanced(aboutTokens(saving.tokens))
    case 'isolated':
      return kept.worktree
    case 'index':
      return kept.index(aboutTokens(saving.tokens))
  }
}

/** KeptBesides ends the steps: what was kept out and belongs to none of them. */
export function KeptBesides({ savings }: { savings: readonly Saving[] }) {
  if (savings.length === 0) return null
  return (
    <ul aria-label={texts.economy.kept.besides} className="py-0.5 pl-1 text-small text-soft">
      {savings.map((saving, i) => (
        <li key={i} className="py-0.5 [overflow-wrap:anywhere]">{besides(saving)}</li>
      ))}
    </ul>
  )
}

function besides(saving: Saving): ReactNode {
  const { kept } = texts.economy
  switch (saving.kind) {
    case 'index':
      return kept.index(aboutTokens(saving.tokens))
    case 'glance':
      return <Of saving={saving}>{kept.glanced(aboutTokens(saving.tokens))}</Of>
    case 'isolated':
      return kept.worktrees
    case 'denial':
      return kept.deniedTool(saving.tool)
    case 'spill':
      return <Of saving={saving}><Spilled saving={saving} /></Of>
  }
}

/** Of says whose output it is, where no step does. */
function Of({ saving, children }: { saving: Saving; children: ReactNode }) {
  const command = saving.detail.split('\n')[0] ?? ''
  return (
    <>
      <span title={saving.detail || undefined}>{command ? texts.economy.kept.of(command) : texts.economy.kept.ofTool(saving.tool)}</span>
      {' · '}
      {children}
    </>
  )
}

/** Spilled is long output that is in a file, with the way to it; or why it is not. */
function Spilled({ saving }: { saving: Saving }) {
  const { channel = '' } = useParams({ strict: false })
  const { kept } = texts.economy
  if (saving.fault !== '') {
    return (
      <span className="text-amber">
        {kept.fault(saving.fault)} {remedyOf(saving.fault)}
      </span>
    )
  }
  const place = placeOfSpill(saving.path)
  return (
    <>
      {kept.spill} {kept.size(saving.lines, saving.chars)}
      {' → '}
      <Link
        to="/c/$channel/workbench/$"
        params={{ channel, _splat: place }}
        aria-label={kept.open(place)}
        title={saving.path}
        className="rounded-sm font-mono text-accent underline underline-offset-2"
      >
        {shortPlace(place)}
      </Link>
      {kept.less(aboutTokens(saving.tokens))}
    </>
  )
}
