import type { Binding, BindingChange, NewBinding } from '@/api'
import { texts } from '@/core'

/** What the form has of an agent. */
export interface Draft {
  handle: string
  runtime: Binding['runtime']
  model: string
  permissionMode: Binding['permission_mode']
  resident: boolean
  supervised: boolean
  briefEveryTurn: boolean
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
    elsewhere: (binding?.base_url ?? '') !== '',
    baseUrl: binding?.base_url ?? '',
    token: '',
    forgetToken: false,
  }
}

export type Problems = Partial<Record<'handle' | 'model' | 'baseUrl', string>>

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
  return problems
}

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
  return { ...rest, ...(base_url ? { base_url } : {}), ...(token ? { token } : {}) }
}

/** toChange is what is different from the binding there is; undefined: nothing. */
export function toChange(draft: Draft, binding: Binding): BindingChange | undefined {
  const { token, ...now } = fields(draft)
  const change: BindingChange = {}
  for (const [key, value] of Object.entries(now)) {
    if (value !== binding[key as keyof typeof now]) Object.assign(change, { [key]: value })
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
  }
}
