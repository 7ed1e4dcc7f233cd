import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Step } from '@/api'
import { formatDuration, texts } from '@/core'
import { cx, Spinner } from '@/ui'
import { shortTool, subjectOf } from './figures'

/** StepList shows what happened in a turn, in order; what a subagent did stands under the call that started it. */
export function StepList({ steps, going }: { steps: readonly Step[]; going: boolean }) {
  const shown = steps.filter((step) => step.kind === 'tool' || (step.kind === 'text' && step.output !== '') || step.kind === 'task')
  const inside = new Set(shown.map((s) => s.id).filter((id) => id !== ''))
  const top = shown.filter((step) => step.parent === '' || !inside.has(step.parent))
  if (top.length === 0) return <p className="py-1 text-small text-soft">{going ? texts.run.noStepsYet : texts.run.noSteps}</p>
  return <Level steps={top} all={shown} going={going} />
}

function Level({ steps, all, going }: { steps: readonly Step[]; all: readonly Step[]; going: boolean }) {
  return (
    <ol className="flex flex-col border-l border-line pl-3">
      {steps.map((step) => (
        <OneStep key={step.n} step={step} all={all} going={going} />
      ))}
    </ol>
  )
}

function OneStep({ step, all, going }: { step: Step; all: readonly Step[]; going: boolean }) {
  const [open, setOpen] = useState(false)
  const children = step.id === '' ? [] : all.filter((s) => s.parent === step.id)
  if (step.kind === 'text') return <li className="py-0.5 text-small break-words whitespace-pre-line text-soft">{step.output}</li>
  const unfinished = going && step.took_ms === 0 && step.output === ''
  return (
    <li className="text-small">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-6 w-full items-center gap-1.5 rounded-sm px-1 text-start hover:bg-hover"
      >
        <ChevronRight size={12} aria-hidden className={cx('shrink-0 text-soft transition-transform', open && 'rotate-90')} />
        <span className="font-medium">{shortTool(step.name)}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-soft" dir="auto">
          {subjectOf(step)}
        </span>
        {step.error && <span className="text-red">{texts.run.failedStep}</span>}
        {unfinished ? <Spinner label={texts.run.going} className="size-3" /> : <span className="text-soft">{formatDuration(step.took_ms)}</span>}
      </button>
      {open && (
        <div className="my-1 ml-4 flex flex-col gap-1">
          <Part label={texts.run.input} text={pretty(step.input)} />
          <Part label={texts.run.output} text={step.output} />
        </div>
      )}
      {children.length > 0 && (
        <div className="ml-2">
          <Level steps={children} all={all} going={going} />
        </div>
      )}
    </li>
  )
}

function Part({ label, text }: { label: string; text: string }) {
  if (text === '') return null
  return (
    <div>
      <p className="text-soft">{label}</p>
      <pre
        // Long output scrolls, so it has to be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-64 overflow-auto rounded-sm bg-side p-2 font-mono text-[0.75rem] leading-4 break-words whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  )
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2)
  } catch {
    return json
  }
}
