import type { Binding, Worker } from '@/api'
import { texts } from '@/core'

export type Tool = Worker['tools'][number]
export type Hand = Binding['hands'][number]

/** Tools that a coordinator delegates unless it is allowed them. */
export const hands = ['Grep', 'Glob', 'WebFetch', 'WebSearch'] as const satisfies readonly Hand[]

/** Tools that a worker can have. */
export const tools = ['Read', 'Write', 'Edit', 'Bash', 'Glob', 'Grep', 'WebFetch', 'WebSearch', 'NotebookEdit'] as const satisfies readonly Tool[]

/** Bounds, as the server has them. Texts are counted in code points. */
export const mostWorkers = 12
const most = { name: 40, description: 500, prompt: 4000, model: 200 }
const inherit = 'inherit'

/** What the form has of a worker. */
export interface WorkerDraft {
  /** Tells it from the others while it is changed. */
  key: string
  name: string
  description: string
  prompt: string
  tools: readonly Tool[]
  model: string
  isolated: boolean
  /** It goes when the form is saved; until then it can be put back. */
  removed: boolean
}

export type WorkerField = 'name' | 'description' | 'prompt' | 'tools' | 'model'
export type WorkerProblems = Partial<Record<WorkerField, string>>

let count = 0

export function workerDraft(worker: Partial<Worker> = {}): WorkerDraft {
  return {
    key: `w${++count}`, name: worker.name ?? '', description: worker.description ?? '', prompt: worker.prompt ?? '',
    tools: worker.tools ?? ['Read', 'Grep', 'Glob'], model: worker.model ?? inherit, isolated: worker.isolated ?? false, removed: false,
  }
}

/** duplicate is a worker like another, with a name that is free. */
export function duplicate(worker: WorkerDraft, all: readonly WorkerDraft[]): WorkerDraft {
  const base = worker.name.replace(/-\d+$/, '') || 'worker'
  let name = base
  for (let n = 2; all.some((w) => w.name === name); n++) name = base.slice(0, most.name - String(n).length - 1) + '-' + n
  return { ...worker, key: workerDraft().key, name, removed: false }
}

/** kept are those that stay. */
export const keptWorkers = (workers: readonly WorkerDraft[]) => workers.filter((w) => !w.removed)

/** toWorkers is what the server is told. */
export function toWorkers(workers: readonly WorkerDraft[]): Worker[] {
  return keptWorkers(workers).map((w) => ({
    name: w.name.trim(), description: w.description.trim(), prompt: w.prompt.trim(), tools: [...w.tools], model: w.model.trim() || inherit, isolated: w.isolated,
  }))
}

const unseen = /\p{Cc}/u
const length = (text: string) => Array.from(text).length

/** checkWorkers says what is wrong with workers, by their keys; nothing where nothing is. */
export function checkWorkers(workers: readonly WorkerDraft[]): Record<string, WorkerProblems> {
  const { economy } = texts
  const found: Record<string, WorkerProblems> = {}
  const names = new Set<string>()
  for (const worker of keptWorkers(workers)) {
    const problems: WorkerProblems = {}
    const [told] = toWorkers([worker])
    if (!told) continue
    if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(told.name)) problems.name = economy.nameBad
    else if (names.has(told.name)) problems.name = economy.nameTaken(told.name)
    names.add(told.name)
    if (told.description === '') problems.description = economy.descriptionNone
    else if (length(told.description) > most.description) problems.description = economy.descriptionBad(length(told.description))
    else if (unseen.test(told.description)) problems.description = economy.unseen
    if (told.prompt === '') problems.prompt = economy.promptNone
    else if (length(told.prompt) > most.prompt) problems.prompt = economy.promptBad(length(told.prompt))
    else if (unseen.test(told.prompt.replace(/[\n\t]/g, ''))) problems.prompt = economy.unseen
    if (told.tools.length === 0) problems.tools = economy.toolsNone
    if (told.model.startsWith('-') || length(told.model) > most.model || unseen.test(told.model)) problems.model = economy.modelBad
    if (Object.keys(problems).length > 0) found[worker.key] = problems
  }
  return found
}

/** usualWorkers are those that the server gives an agent from the start (DefaultWorkers in backend/chat/economy.go; the browser's test compares). */
export const usualWorkers: readonly Worker[] = [
  {
    name: 'explorer', model: inherit, tools: ['Read', 'Grep', 'Glob', 'Bash', 'WebFetch', 'WebSearch', 'Write'], isolated: false,
    description: 'Finds things out: where something is, how it works, what depends on it, what the documentation says. Changes nothing.',
    prompt: 'You find things out and change nothing but files in the workbench. Look broadly first, then read only what answers the question. Say what is so, where it stands (path and line), and what you could not find.',
  },
  {
    name: 'implementer', model: inherit, tools: ['Read', 'Write', 'Edit', 'Bash', 'Grep', 'Glob'], isolated: false,
    description: 'Changes code or other files to meet a goal, with its tests, and checks that they pass.',
    prompt: "You make one change, completely: read what is there, follow its ways, write the code and its test, and run the checks that concern it. Do not widen the task. If the goal can't be met as it was given, stop and say why.",
  },
  {
    name: 'tester', model: inherit, tools: ['Read', 'Write', 'Edit', 'Bash', 'Grep', 'Glob'], isolated: false,
    description: 'Runs tests, builds, benchmarks and programs, reproduces faults, and says what really happens.',
    prompt: 'You find out what really happens. Run it, reproduce it, narrow it down to the smallest case. Change tests and scripts only, never what is tested. Report what you ran and what came out; a guess is called one.',
  },
]

export const usualDrafts = (): WorkerDraft[] => usualWorkers.map((w) => workerDraft(w))

/** areUsual says whether these are the usual three as they are. */
export const areUsual = (workers: readonly WorkerDraft[]): boolean =>
  workers.every((w) => !w.removed) && JSON.stringify(toWorkers(workers)) === JSON.stringify(toWorkers(usualDrafts()))
