import { formatCount, texts } from '@/core'
import type { TreeNode } from './tree'

/** A value of a JSON text, as a node of a tree. */
export interface JsonNode extends TreeNode {
  name: string
  kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'
  /** What is shown of the value; of an object or array, how much is in it. */
  shown: string
}

/** So much of a string is shown in the tree, in characters. */
const longestString = 400

/** So many values are open at first: those on top. */
const openAtFirst = 200

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

/** jsonNodes are the nodes of a value that are to be seen: those in values that are open. `open` has what somebody opened or closed, by key. */
export function jsonNodes(root: unknown, open: ReadonlyMap<string, boolean>): JsonNode[] {
  const out: JsonNode[] = []
  const add = (name: string, value: unknown, key: string, level: number, place: number, of: number) => {
    const holder = isHolder(value)
    const size = holder ? Object.keys(value).length : 0
    const isOpen = holder && size > 0 && (open.get(key) ?? (level === 1 ? true : level === 2 && of * size <= openAtFirst))
    out.push({ key, level, place, of, name, label: name, open: holder && size > 0 ? isOpen : undefined, ...shownOf(value, size) })
    if (!isOpen) return
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
    let i = 0
    for (const [k, v] of entries as Iterable<[string | number, unknown]>) add(String(k), v, `${key}/${String(k).replaceAll('~', '~0').replaceAll('/', '~1')}`, level + 1, ++i, size)
  }
  add(texts.workbench.jsonRoot, root, '', 1, 1, 1)
  return out
}

function shownOf(value: unknown, size: number): Pick<JsonNode, 'kind' | 'shown'> {
  if (value === null) return { kind: 'null', shown: 'null' }
  if (Array.isArray(value)) return { kind: 'array', shown: texts.workbench.jsonItems(size) }
  if (typeof value === 'object') return { kind: 'object', shown: texts.workbench.jsonFields(size) }
  if (typeof value === 'string') {
    const cut = value.length > longestString
    return { kind: 'string', shown: JSON.stringify(cut ? value.slice(0, longestString) : value) + (cut ? texts.workbench.jsonCut(formatCount(value.length - longestString)) : '') }
  }
  return { kind: typeof value === 'number' ? 'number' : 'boolean', shown: JSON.stringify(value) }
}
