import { ChevronRight, Copy, Plus, RotateCcw, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { texts } from '@/core'
import { Button, cx, IconButton, Tooltip } from '@/ui'
import { WorkerFields } from './worker-fields'
import { areUsual, duplicate, keptWorkers, mostWorkers, usualDrafts, workerDraft, type WorkerDraft, type WorkerProblems } from './workers'

export interface WorkerListProps {
  workers: readonly WorkerDraft[]
  /** By the worker's key. */
  problems: Record<string, WorkerProblems> | undefined
  onChange: (workers: WorkerDraft[]) => void
}

/** WorkerList are an agent's workers; each opens to what it is. Nothing is changed before the form is saved. */
export function WorkerList({ workers, problems, onChange }: WorkerListProps) {
  const { economy } = texts
  const title = useId()
  const list = useRef<HTMLUListElement>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  /** What was there before the usual three took its place, until something else is changed. */
  const [before, setBefore] = useState<readonly WorkerDraft[]>()
  // What is not right has to be in sight: it opens once, when that is found.
  const [seen, setSeen] = useState(problems)
  if (seen !== problems) {
    setSeen(problems)
    if (problems) setOpen(new Set([...open, ...Object.keys(problems)]))
  }
  const kept = keptWorkers(workers)
  const full = kept.length >= mostWorkers
  const change = (next: WorkerDraft[]) => {
    setBefore(undefined)
    onChange(next)
  }
  const patch = (key: string, part: Partial<WorkerDraft>) => change(workers.map((w) => (w.key === key ? { ...w, ...part } : w)))
  const toggle = (key: string, on = !open.has(key)) => setOpen(new Set(on ? [...open, key] : [...open].filter((k) => k !== key)))
  /** focusOn is for what a change puts where the focus was. */
  const focusOn = (find: () => HTMLElement | null | undefined) => requestAnimationFrame(() => find()?.focus())
  const itemOf = (key: string) => list.current?.querySelector(`[data-worker="${key}"]`)
  const add = (worker: WorkerDraft, at: number) => {
    change([...workers.slice(0, at), worker, ...workers.slice(at)])
    toggle(worker.key, true)
    focusOn(() => itemOf(worker.key)?.querySelector('input'))
  }
  const remove = (worker: WorkerDraft) => {
    patch(worker.key, { removed: true })
    focusOn(() => itemOf(worker.key)?.querySelector('button'))
  }
  const putBack = (worker: WorkerDraft) => {
    patch(worker.key, { removed: false })
    focusOn(() => itemOf(worker.key)?.querySelector('button'))
  }
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <h3 id={title} className="font-medium">{economy.workers}</h3>
      <p className="text-small text-soft">{economy.workersHint}</p>
      <ul ref={list} className="flex flex-col gap-1.5">
        {workers.map((worker, i) => (
          <li key={worker.key} data-worker={worker.key} className={cx('rounded-md border border-line', worker.removed && 'border-dashed')}>
            {worker.removed ? (
              <Undone text={economy.removed(worker.name)} label={economy.putBack(worker.name)} disabled={full} onUndo={() => putBack(worker)} />
            ) : (
              <OneWorker
                worker={worker}
                problems={problems?.[worker.key]}
                open={open.has(worker.key)}
                full={full}
                onToggle={() => toggle(worker.key)}
                onDuplicate={() => add(duplicate(worker, workers), i + 1)}
                onRemove={() => remove(worker)}
                onChange={(part) => patch(worker.key, part)}
              />
            )}
          </li>
        ))}
      </ul>
      {kept.length === 0 && <p className="text-small text-soft">{economy.workersNone}</p>}
      {before && (
        <div className="rounded-md border border-dashed border-line">
          <Undone text={economy.usualDone} label={texts.common.undo} focus onUndo={() => change([...before])} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" icon={<Plus size={12} aria-hidden />} disabled={full} onClick={() => add(workerDraft(), workers.length)}>
          {economy.addWorker}
        </Button>
        {!areUsual(workers) && (
          <Tooltip content={economy.usualHint}>
            <Button
              size="sm"
              tone="quiet"
              icon={<RotateCcw size={12} aria-hidden />}
              onClick={() => {
                onChange(usualDrafts())
                setBefore(workers)
              }}
            >
              {economy.usual}
            </Button>
          </Tooltip>
        )}
        {full && <p className="text-small text-soft">{economy.workersMost}</p>}
      </div>
    </section>
  )
}

interface OneWorkerProps {
  worker: WorkerDraft
  problems: WorkerProblems | undefined
  open: boolean
  /** There is no room for one more. */
  full: boolean
  onToggle: () => void
  onDuplicate: () => void
  onRemove: () => void
  onChange: (part: Partial<WorkerDraft>) => void
}

function OneWorker({ worker, problems, open, full, onToggle, onDuplicate, onRemove, onChange }: OneWorkerProps) {
  const { economy } = texts
  const fields = useId()
  return (
    <>
      <div className="flex items-center pr-1">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={fields}
          aria-label={economy.worker(worker.name) + (problems ? ', ' + economy.toMend : '')}
          onClick={onToggle}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-2 py-1 text-start hover:bg-hover"
        >
          <ChevronRight size={12} aria-hidden className={cx('shrink-0 text-soft transition-transform', open && 'rotate-90')} />
          <span className={cx('max-w-[60%] shrink-0 truncate', worker.name ? 'font-medium' : 'text-soft')}>{worker.name || economy.unnamed}</span>
          <span className="min-w-0 flex-1 truncate text-small text-soft" dir="auto">{!open && worker.description}</span>
          {worker.isolated && <span className="shrink-0 rounded-sm border border-edge px-1 text-small text-soft">{economy.isolatedMark}</span>}
          {problems && <span className="shrink-0 text-small text-red">{economy.toMend}</span>}
        </button>
        <IconButton size="sm" label={economy.duplicate(worker.name)} disabled={full} onClick={onDuplicate}>
          <Copy size={13} aria-hidden />
        </IconButton>
        <IconButton size="sm" label={economy.remove(worker.name)} onClick={onRemove}>
          <Trash2 size={13} aria-hidden />
        </IconButton>
      </div>
      <div id={fields} hidden={!open}>
        {open && <WorkerFields worker={worker} problems={problems ?? {}} onChange={onChange} />}
      </div>
    </>
  )
}

/** Undone stands where something was, with the way back. `focus`: it takes the focus, which was on what did it. */
function Undone({ text, label, disabled = false, focus = false, onUndo }: { text: string; label: string; disabled?: boolean; focus?: boolean; onUndo: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focus) button.current?.focus()
  }, [focus])
  return (
    <div role="status" className="flex min-h-8 items-center gap-2 px-2 text-small text-soft">
      <span className="min-w-0 flex-1 truncate">{text}</span>
      <Button ref={button} size="sm" aria-label={label} disabled={disabled} onClick={onUndo}>
        {texts.common.undo}
      </Button>
    </div>
  )
}
