import type { Permission } from '@/api'

/** What a tool would do to a file: stretches of it before and after. */
export interface FileChange {
  path: string
  edits: readonly { before: string; after: string; everyPlace: boolean }[]
  /** The file is written whole; what was in it before is not said. */
  whole: boolean
}

/** What is asked for, as far as it has a form of its own. */
export type Wanted =
  | { kind: 'command'; command: string; description: string }
  | { kind: 'change'; change: FileChange }
  | { kind: 'fields'; fields: readonly { name: string; value: string }[] }

/** wantedOf reads a question's input, which is whatever the agent wrote: what has not the form that its tool has is shown as it is. */
export function wantedOf({ tool, input }: Permission): Wanted {
  const given = isRecord(input) ? input : {}
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : undefined)
  const path = text('file_path') ?? text('notebook_path')
  if (text('command') !== undefined) return { kind: 'command', command: text('command') ?? '', description: text('description') ?? '' }
  if (path !== undefined) {
    const edits = tool === 'MultiEdit' && Array.isArray(given.edits) ? given.edits.map(editOf) : [editOf(given)]
    if (edits.length > 0 && edits.every((e) => e !== undefined)) return { kind: 'change', change: { path, edits, whole: false } }
    const content = tool === 'Write' ? text('content') : tool === 'NotebookEdit' ? text('new_source') : undefined
    if (content !== undefined) return { kind: 'change', change: { path, edits: [{ before: '', after: content, everyPlace: false }], whole: tool === 'Write' } }
  }
  if (!isRecord(input)) return { kind: 'fields', fields: [{ name: '', value: JSON.stringify(input, undefined, 2) }] }
  return { kind: 'fields', fields: Object.entries(input).map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value, undefined, 2) })) }
}

function editOf(value: unknown): FileChange['edits'][number] | undefined {
  if (!isRecord(value) || typeof value.old_string !== 'string' || typeof value.new_string !== 'string') return undefined
  return { before: value.old_string, after: value.new_string, everyPlace: value.replace_all === true }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** shortOf is what is asked for in one line. */
export function shortOf(permission: Permission): string {
  const wanted = wantedOf(permission)
  if (wanted.kind === 'command') return wanted.command
  if (wanted.kind === 'change') return within(wanted.change.path, permission.workspace)
  return wanted.fields.map((f) => f.value).join(' ')
}

/** within is a path as seen from a folder, where it lies in it. */
export const within = (path: string, folder: string) => (folder !== '' && path.startsWith(folder.replace(/\/?$/, '/')) ? path.slice(folder.replace(/\/?$/, '/').length) : path)
