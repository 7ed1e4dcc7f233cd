import { ProblemError, type Binding, type BindingChange, type NewBinding } from '@/api'
import { problemOf, texts } from '@/core'
import { checkWorkers, keptWorkers, toWorkers, usualDrafts, workerDraft, type Hand, type WorkerDraft, type WorkerProblems } from './workers'

/** What the form has of an agent. */
export interface Draft {
  handle: string
  runtime: Binding['runtime']
  model: string
  permissionMode: Binding['permission_mode']
  resident: boolean
  supervised: boolean
  briefEveryTurn: boolean
  role: Binding['role']
  /** Of a coordinator only, as hands and workers are. */
  glance: boolean
  hands: readonly Hand[]
  workers: readonly WorkerDraft[]
  /** In characters, as it was written; 0: never. */
  spillOver: string
  /** It is reached at another Messages API: baseUrl and token count. */
  elsewhere: boolean
  baseUrl: string
  token: string
  /** The token that is kept goes. */
  forgetToken: boolean
}

/** draftOf is what the form begins with: what an agent is, or what a new one usually is. */
export function draftOf(binding?: Binding): Draft {
  return {
    handle: binding?.handle ?? '',
    runtime: binding?.runtime ?? 'cli:claude:agent',
    model: binding?.model ?? '',
    permissionMode: binding?.permission_mode ?? '',
    resident: binding?.resident ?? true,
    supervised: binding?.supervised ?? true,
    briefEveryTurn: binding?.brief_every_turn ?? false,
    role: binding?.role ?? 'plain',
    glance: binding?.glance ?? true,
    hands: binding?.hands ?? [],
    workers: binding ? binding.workers.map((w) => workerDraft(w)) : usualDrafts(),
    spillOver: String(binding?.spill_over ?? usualSpill),
    elsewhere: (binding?.base_url ?? '') !== '',
    baseUrl: binding?.base_url ?? '',
    token: '',
    forgetToken: false,
  }
}

/** What a new agent's spill_over is, and within what it can be, as the server has them. */
export const usualSpill = 4000
const spillBounds = [1000, 1_000_000] as const

export type Problems = Partial<Record<'handle' | 'model' | 'baseUrl' | 'token' | 'spillOver', string>> & {
  /** By the worker's key. */
  workers?: Record<string, WorkerProblems>
}

/** At most 40 characters of any script; beginning with a letter or a digit. */
const handleForm = /^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}_-]{0,39}$/u

/** cleanHandle is a handle as the server takes it: without the @ and what is around it. */
export const cleanHandle = (handle: string) => handle.trim().replace(/^[@＠]/, '').normalize('NFC')

/** check says what is wrong with a draft, field by field. `others`: the handles that are taken. */
export function check(draft: Draft, others: readonly string[]): Problems {
  const problems: Problems = {}
  const handle = cleanHandle(draft.handle)
  if (!handleForm.test(handle)) problems.handle = texts.agent.handleFree
  else if (others.some((h) => h.toLowerCase() === handle.toLowerCase())) problems.handle = texts.agent.handleTaken(handle)
  if (draft.model.trim().startsWith('-')) problems.model = texts.agent.modelDash
  if (draft.runtime === 'cli:claude:agent' && draft.elsewhere) {
    if (!isAddress(draft.baseUrl.trim())) problems.baseUrl = texts.agent.baseUrlBad
    if (draft.model.trim() === '') problems.model = texts.agent.modelNeeded
  }
  if (!/^\d{1,7}$/.test(draft.spillOver.trim()) || !isSpill(Number(draft.spillOver))) problems.spillOver = texts.economy.spillBad
  if (draft.role === 'coordinator') {
    const workers = checkWorkers(draft.workers)
    if (Object.keys(workers).length > 0) problems.workers = workers
  }
  return problems
}

const isSpill = (n: number) => n === 0 || (n >= spillBounds[0] && n <= spillBounds[1])

/** Where in the form a field of what is sent stands. */
const places = { handle: 'handle', model: 'model', base_url: 'baseUrl', token: 'token', spill_over: 'spillOver' } as const

/** problemsOf is what the server found wrong with a draft, at the fields it names; empty where it names none that is here. */
export function problemsOf(error: unknown, draft: Draft): Problems {
  // The one thing that is told by the kind of the error: another agent has the name.
  if (problemOf(error).code === 'conflict') return { handle: problemOf(error).message }
  const problems: Problems = {}
  for (const { location, message } of error instanceof ProblemError ? error.faults : []) {
    const [, name = '', at, field = ''] = /^body\.(\w+)(?:\[(\d+)\](?:\.(\w+))?)?/.exec(location) ?? []
    const worker = name === 'workers' && at !== undefined ? keptWorkers(draft.workers)[Number(at)] : undefined
    if (worker) {
      const held = problems.workers?.[worker.key] ?? {}
      problems.workers = { ...problems.workers, [worker.key]: { ...held, [isWorkerField(field) ? field : 'name']: message } }
    } else if (name in places) problems[places[name as keyof typeof places]] = message
  }
  return problems
}

const isWorkerField = (name: string): name is keyof WorkerProblems => ['name', 'description', 'prompt', 'tools', 'model'].includes(name)

function isAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false
  try {
    return new URL(text).hostname !== ''
  } catch {
    return false
  }
}

/** toNew is what a new binding is made of. */
export function toNew(draft: Draft): NewBinding {
  const { base_url, token, ...rest } = fields(draft)
  return { glance: draft.glance, ...rest, ...(base_url ? { base_url } : {}), ...(token ? { token } : {}) }
}

/** toChange is what is different from the binding there is; undefined: nothing. */
export function toChange(draft: Draft, binding: Binding): BindingChange | undefined {
  const { token, ...now } = fields(draft)
  const before: Partial<typeof now> = fields({ ...draftOf(binding), role: draft.role })
  const change: BindingChange = binding.role === draft.role ? {} : { role: draft.role }
  for (const [key, value] of Object.entries(now)) {
    if (JSON.stringify(value) !== JSON.stringify(before[key as keyof typeof now])) Object.assign(change, { [key]: value })
  }
  if (token) change.token = token
  else if (binding.has_token && (draft.forgetToken || now.base_url === '')) change.token = ''
  return Object.keys(change).length > 0 ? change : undefined
}

function fields(draft: Draft) {
  const elsewhere = draft.elsewhere && draft.runtime === 'cli:claude:agent'
  return {
    handle: cleanHandle(draft.handle),
    runtime: draft.runtime,
    model: draft.model.trim(),
    permission_mode: draft.permissionMode,
    resident: draft.resident,
    supervised: draft.supervised,
    brief_every_turn: draft.briefEveryTurn,
    base_url: elsewhere ? draft.baseUrl.trim() : '',
    token: elsewhere ? draft.token.trim() : '',
    role: draft.role,
    spill_over: Number(draft.spillOver),
    // What a plain agent has no use for is not in sight, and stays as it is.
    ...(draft.role === 'coordinator' ? { glance: draft.glance, hands: [...draft.hands], workers: toWorkers(draft.workers) } : {}),
  }
}
