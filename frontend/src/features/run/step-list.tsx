import { ChevronRight } from 'lucide-react'
import type { Run, Saving, Step } from '@/api'
import { formatDuration, texts } from '@/core'
import { useKept } from '@/features/markdown'
import { Button, cx, Spinner, useNow } from '@/ui'
import { isGoing, shortTool, subjectOf, wasDenied } from './figures'
import { keptOf, type Kept } from './kept'
import { KeptBesides, KeptLines, KeptMarks, KeptTotal } from './kept-lines'

/** How many steps of a level are shown before it is asked for more. */
const shownAtFirst = 60
const none: ReadonlySet<Step> = new Set()

export interface StepListProps {
  run: Run
  steps: readonly Step[]
  /** What was kept out of the agent's context meanwhile. */
  savings?: readonly Saving[]
  /** The calls among them that wait for a person's answer. */
  waiting?: ReadonlySet<Step>
  going: boolean
  /** The text of the turn that stands beside the list: it is not shown again. */
  beside?: string
}

/** StepList shows what happened in a turn, in order; what a subagent did stands under the call that started it. */
export function StepList({ run, steps, savings = [], waiting = none, going, beside = '' }: StepListProps) {
  const told = beside === '' ? undefined : steps.findLast((step) => step.kind === 'text' && step.parent === '' && step.output.trim() === beside.trim())
  const shown = steps.filter((step) => step !== told && (step.kind === 'tool' || step.kind === 'task' || ((step.kind === 'text' || step.kind === 'status') && step.output !== '')))
  const inside = new Set(shown.map((s) => s.id).filter((id) => id !== ''))
  const top = shown.filter((step) => step.parent === '' || !inside.has(step.parent))
  const kept = keptOf(savings, shown)
  return (
    <>
      <KeptTotal tokens={kept.tokens} />
      {top.length === 0 ? (
        <p className="py-1 text-small text-soft">{going ? texts.run.noStepsYet : texts.run.noSteps}</p>
      ) : (
        <Level name={`${run.id}:`} steps={top} all={shown} kept={kept} waiting={waiting} going={going} />
      )}
      <KeptBesides savings={kept.rest} />
    </>
  )
}

interface LevelProps {
  /** Names the level in the page. */
  name: string
  steps: readonly Step[]
  all: readonly Step[]
  kept: Kept
  waiting: ReadonlySet<Step>
  going: boolean
}

function Level({ name, steps, all, kept, waiting, going }: LevelProps) {
  const [whole, setWhole] = useKept(`level:${name}`)
  const hidden = whole ? 0 : Math.max(0, steps.length - shownAtFirst)
  return (
    <>
      {hidden > 0 && (
        <Button size="sm" tone="quiet" className="self-start" onClick={() => setWhole(true)}>
          {texts.run.earlierSteps(hidden)}
        </Button>
      )}
      <ol className="my-0.5 flex flex-col border-l border-line pl-2">
        {steps.slice(hidden).map((step) => (
          <OneStep key={step.n} name={`${name}${step.n}`} step={step} all={all} kept={kept} waiting={waiting} going={going} />
        ))}
      </ol>
    </>
  )
}

function OneStep({ name, step, all, kept, waiting, going }: Omit<LevelProps, 'steps'> & { step: Step }) {
  const children = step.id === '' ? [] : all.filter((s) => s.parent === step.id && s !== step)
  const unfinished = going && isGoing(step)
  const [open, setOpen] = useKept(`step:${name}`)
  if (step.kind === 'text' || step.kind === 'status') {
    return <li dir="auto" className="py-0.5 pl-1 text-small break-words whitespace-pre-line text-soft">{step.output}</li>
  }
  const savings = kept.of(step)
  const denied = wasDenied(step) || savings.some((s) => s.kind === 'denial')
  return (
    <li className="text-small">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-6 w-full items-center gap-1.5 rounded-sm px-1 text-start hover:bg-hover"
      >
        <ChevronRight size={12} aria-hidden className={cx('shrink-0 text-soft transition-transform', open && 'rotate-90')} />
        <span className="shrink-0 font-medium">{step.kind === 'task' ? texts.run.task : shortTool(step.name)}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-soft" dir="auto">
          {step.kind === 'task' ? step.input : subjectOf(step)}
        </span>
        {children.length > 0 && !open && <span className="shrink-0 text-soft">{texts.run.subagentSteps(children.length)}</span>}
        <KeptMarks savings={savings} />
        {denied ? (
          <span className="shrink-0 rounded-sm bg-amber-ground px-1 text-amber">{texts.run.deniedStep}</span>
        ) : (
          step.error && <span className="shrink-0 text-red">{texts.run.failedStep}</span>
        )}
        {waiting.has(step) ? (
          <span className="shrink-0 text-amber">{texts.run.asking}</span>
        ) : unfinished ? (
          <>
            <Since at={step.at} />
            <Spinner label={texts.run.going} className="size-3" />
          </>
        ) : (
          step.took_ms > 0 && <span className="shrink-0 text-soft">{formatDuration(step.took_ms)}</span>
        )}
      </button>
      <KeptLines savings={savings} />
      {open && (
        <div className="my-1 ml-4 flex flex-col gap-1">
          <Part label={texts.run.input} text={step.kind === 'task' ? step.input : pretty(step.input)} />
          <Part label={texts.run.output} text={step.output} tone={step.error && !denied ? 'red' : undefined} />
        </div>
      )}
      {children.length > 0 && (open || unfinished) && (
        <div className="ml-3">
          <Level name={`${name}/`} steps={children} all={all} kept={kept} waiting={waiting} going={going} />
        </div>
      )}
    </li>
  )
}

function Since({ at }: { at: string }) {
  const now = useNow('second')
  const seconds = Math.floor((now - Date.parse(at)) / 1000)
  return seconds < 1 ? null : <span className="shrink-0 text-soft">{formatDuration(seconds * 1000)}</span>
}

/** Where the server cuts a step's text, in characters. */
const cutAt = 20_000

function Part({ label, text, tone }: { label: string; text: string; tone?: 'red' | undefined }) {
  if (text === '') return null
  return (
    <div>
      <p className="text-soft">
        {label}
        {text.length >= cutAt && ` · ${texts.run.cut}`}
      </p>
      <pre
        // No landmark: several steps can be open at once.
        role="group"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long output scrolls, so it has to be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        dir="auto"
        className={cx(
          'max-h-64 overflow-auto rounded-sm bg-side p-2 font-mono text-[0.75rem] leading-4 break-words whitespace-pre-wrap',
          tone === 'red' && 'border-l-2 border-red',
        )}
      >
        {text}
      </pre>
    </div>
  )
}

/** pretty is a call's input on several lines; what was cut is shown as it is. */
function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2)
  } catch {
    return json
  }
}
