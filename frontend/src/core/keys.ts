import { commandIds, commandTable, type CommandId } from './commands'

/**
 * Keys: what a press of the keyboard is, which command it belongs to, and how keys are written. They stand in the table of
 * commands; a person may choose others (preferences.keys).
 */

/** What is looked at of a key event. */
export interface KeyPress {
  key: string
  code: string
  metaKey: boolean
  ctrlKey: boolean
  altKey: boolean
  shiftKey: boolean
}

export const onMac = /Mac|iPhone|iPad/.test(typeof navigator === 'undefined' ? '' : navigator.userAgent)

/** fits says whether a press is these keys (`mod+k`). A letter is its place on the keyboard where the layout has no Latin letters. */
export function fits(press: KeyPress, keys: string, mac = onMac): boolean {
  const parts = keys.split('+')
  const key = parts.pop() ?? ''
  const has = (name: string) => parts.includes(name)
  const mod = mac ? press.metaKey : press.ctrlKey
  const other = mac ? press.ctrlKey : press.metaKey
  if (other || mod !== has('mod') || press.altKey !== has('alt')) return false
  // A sign such as ? may need Shift to be typed at all.
  const sign = key.length === 1 && !/[a-z0-9]/.test(key)
  if (!sign && press.shiftKey !== has('shift')) return false
  const pressed = press.key.toLowerCase()
  if (pressed === key) return true
  return /^[a-z]$/.test(key) && !/^[a-z]$/.test(pressed) && press.code === 'Key' + key.toUpperCase()
}

/** Keymap are the keys that a person chose for commands; of those that are not in it, the table's hold. */
export type Keymap = Readonly<Partial<Record<CommandId, readonly string[]>>>

/** keysOf are the keys of a command. */
export const keysOf = (id: CommandId, chosen: Keymap): readonly string[] => chosen[id] ?? commandTable[id].keys

/** pressed says whether a press is one of a command's keys. */
export const pressed = (press: KeyPress, id: CommandId, chosen: Keymap): boolean => keysOf(id, chosen).some((keys) => fits(press, keys))

/** ownersOf are the other commands that have these keys. */
export const ownersOf = (keys: string, id: CommandId, chosen: Keymap): CommandId[] =>
  commandIds.filter((other) => other !== id && keysOf(other, chosen).includes(keys))

/** withKeys are the keys with another choice for one command; what is as the table has it is not kept. */
export function withKeys(chosen: Keymap, id: CommandId, keys: readonly string[]): Keymap {
  const { [id]: _, ...others } = chosen
  const usual = commandTable[id].keys
  return usual.length === keys.length && usual.every((k, i) => k === keys[i]) ? others : { ...others, [id]: keys }
}

const mods = ['mod', 'alt', 'shift']

/** What no browser hands on to a page. */
const browsers = ['mod+w', 'mod+t', 'mod+n', 'mod+q', 'mod+shift+w', 'mod+shift+t', 'mod+shift+n', 'mod+shift+q']

/** What moves, writes or leaves wherever the focus is; with mod or alt these are free. */
const everywhere = /^(shift\+)?(escape|enter|tab|space|backspace|delete|home|end|pageup|pagedown|arrow(up|down|left|right))$/

/** refusal says why these keys can't be chosen; undefined: they can. `page`: the page itself needs them everywhere. */
export function refusal(keys: string): 'browser' | 'page' | undefined {
  if (browsers.includes(keys)) return 'browser'
  return everywhere.test(keys) ? 'page' : undefined
}

/** keysFrom writes a press as keys; undefined where it is none that a command can have: a mod alone, or one that `fits` does not know. */
export function keysFrom(press: KeyPress, mac = onMac): string | undefined {
  const mod = mac ? press.metaKey : press.ctrlKey
  if (mac ? press.ctrlKey : press.metaKey) return undefined
  const key = /^Key[A-Z]$/.test(press.code) && !/^[a-z]$/i.test(press.key) ? press.code.slice(3).toLowerCase() : press.key === ' ' ? 'space' : press.key.toLowerCase()
  if (['control', 'meta', 'alt', 'shift', 'altgraph', 'dead', 'process', 'unidentified', 'capslock', '+'].includes(key)) return undefined
  const sign = key.length === 1 && !/[a-z0-9]/.test(key)
  const keys = [mod && 'mod', press.altKey && 'alt', press.shiftKey && !sign && 'shift', key].filter(Boolean).join('+')
  return fits({ ...press, key: key === 'space' ? key : press.key }, keys, mac) ? keys : undefined
}

/** readKeymap is what was saved as one, without what is none. */
export function readKeymap(saved: unknown): Keymap {
  if (typeof saved !== 'object' || saved === null) return {}
  const isKeys = (keys: unknown): keys is string => {
    if (typeof keys !== 'string' || refusal(keys) !== undefined) return false
    const parts = keys.split('+')
    const key = parts.pop() ?? ''
    return key !== '' && !mods.includes(key) && parts.every((part, i) => mods.includes(part) && parts.indexOf(part) === i)
  }
  let read: Keymap = {}
  for (const [id, keys] of Object.entries(saved)) {
    const known = commandIds.find((one) => one === id)
    if (known === undefined || commandTable[known].fixed || !Array.isArray(keys)) continue
    read = withKeys(read, known, keys.filter(isKeys))
  }
  return read
}

/** bare keys type something: they do nothing while somebody writes. */
export const isBare = (keys: string): boolean => keys !== 'escape' && !/(^|\+)(mod|alt)\+/.test(keys)

const names: Record<string, string> = { arrowup: '↑', arrowdown: '↓', arrowleft: '←', arrowright: '→', enter: '⏎', escape: 'Esc', space: '␣' }

/** keyNames is how keys stand on this keyboard, one by one: ⌘ K, or Ctrl K. */
export function keyNames(keys: string, mac = onMac): string[] {
  const signs: Record<string, string> = mac ? { mod: '⌘', alt: '⌥', shift: '⇧' } : { mod: 'Ctrl', alt: 'Alt', shift: '⇧' }
  return keys.split('+').map((part) => signs[part] ?? names[part] ?? part.toUpperCase())
}

/** shortKeys are the keys of a command in one short text, for a tooltip; undefined when it has none. */
export function shortKeys(id: CommandId, chosen: Keymap, mac = onMac): string | undefined {
  const [keys] = keysOf(id, chosen)
  return keys === undefined ? undefined : keyNames(keys, mac).join(mac ? '' : ' ')
}
