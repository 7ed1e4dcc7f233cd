import { texts } from '@/core'
import { Choice, TextField } from '@/ui'
import { CheckList } from './check-list'
import type { Draft, Problems } from './draft'
import { CheckField } from './fields'
import { WorkerList } from './worker-list'
import { hands } from './workers'

const roles = ['plain', 'coordinator'] as const

/** EconomyFields are what keeps an agent's context small: how it works, through whom, and what is spilled. */
export function EconomyFields({ draft, problems, set }: { draft: Draft; problems: Problems; set: (change: Partial<Draft>) => void }) {
  const { economy } = texts
  return (
    <>
      <Choice
        label={economy.role}
        value={draft.role}
        options={roles.map((value) => ({ value, text: economy.roles[value], hint: economy.roleHints[value] }))}
        hint={economy.roleHint}
        onChange={(role) => set({ role })}
      />
      {draft.role === 'coordinator' && (
        <div className="ml-1.5 flex flex-col gap-4 border-l border-line pl-4">
          <WorkerList workers={draft.workers} problems={problems.workers} onChange={(workers) => set({ workers })} />
          <CheckList label={economy.hands} options={hands} value={draft.hands} hint={economy.handsHint} onChange={(chosen) => set({ hands: chosen })} />
          <CheckField label={economy.glance} note={economy.glanceHint} checked={draft.glance} onChange={(glance) => set({ glance })} />
        </div>
      )}
      <TextField
        label={economy.spill}
        hint={draft.spillOver.trim() === '0' ? economy.spillOff : economy.spillHint}
        problem={problems.spillOver}
        value={draft.spillOver}
        inputMode="numeric"
        required
        className="[&_input]:max-w-28"
        end={<span className="self-center text-soft">{economy.spillUnit}</span>}
        onChange={(event) => set({ spillOver: event.target.value })}
      />
    </>
  )
}
