import { useId } from 'react'
import { texts } from '@/core'
import { TextArea, TextField } from '@/ui'
import { CheckList } from './check-list'
import { CheckField } from './fields'
import { tools, type WorkerDraft, type WorkerProblems } from './workers'

export interface WorkerFieldsProps {
  worker: WorkerDraft
  problems: WorkerProblems
  onChange: (change: Partial<WorkerDraft>) => void
}

const models = ['inherit', 'opus', 'sonnet', 'haiku']

/** WorkerFields are what a worker is. */
export function WorkerFields({ worker, problems, onChange }: WorkerFieldsProps) {
  const id = useId()
  const { economy } = texts
  return (
    <div className="flex flex-col gap-4 border-t border-line p-3">
      <TextField label={economy.name} hint={economy.nameHint} problem={problems.name} value={worker.name} required onChange={(event) => onChange({ name: event.target.value })} />
      <TextArea
        label={economy.description}
        hint={economy.descriptionHint}
        problem={problems.description}
        value={worker.description}
        required
        // One line, however it is broken here.
        onChange={(event) => onChange({ description: event.target.value.replace(/\s*\n\s*/g, ' ') })}
      />
      <TextArea label={economy.prompt} hint={economy.promptHint} problem={problems.prompt} value={worker.prompt} required onChange={(event) => onChange({ prompt: event.target.value })} />
      <CheckList label={economy.tools} options={tools} value={worker.tools} hint={economy.toolsHint} problem={problems.tools} onChange={(chosen) => onChange({ tools: chosen })} />
      <TextField
        label={economy.model}
        hint={economy.modelHint}
        problem={problems.model}
        value={worker.model}
        list={id}
        onChange={(event) => onChange({ model: event.target.value })}
      />
      <datalist id={id}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <CheckField label={economy.isolated} note={economy.isolatedHint} checked={worker.isolated} onChange={(isolated) => onChange({ isolated })} />
    </div>
  )
}
