import type { Workbench, WorkbenchEntry } from '@/api'
import { texts } from '@/core'

/** A node of a tree that is shown as a list of those that are to be seen. */
export interface TreeNode {
  key: string
  /** What typing finds it by, and what is read out. */
  label: string
  /** From 1. */
  level: number
  /** Its place among its neighbours, from 1, and how many they are; -1: there are more. */
  place: number
  of: number
  /** Undefined: nothing is in it that could be opened. */
  open: boolean | undefined
}

export type Kind = WorkbenchEntry['kind']

/** The kinds, in the order that they are shown in. */
export const kinds = ['scripts', 'artifacts', 'notes', 'spill'] as const satisfies readonly Kind[]

export type BenchNode = TreeNode & { bench: Workbench } & (
    | { type: 'bench' }
    | { type: 'kind'; kind: Kind; entries: number; bytes: number }
    | { type: 'folder'; name: string; entries: number }
    | { type: 'file'; name: string; entry: WorkbenchEntry }
    | { type: 'index' }
    | { type: 'more'; kind: Kind; left: number }
  )

/** Folders and kinds with more than this are closed at first. */
const openUpTo = 60

interface Folder {
  folders: Map<string, Folder>
  /** In the order of their newest file. */
  items: ({ folder: string } | { entry: WorkbenchEntry; name: string })[]
  count: number
}

const newFolder = (): Folder => ({ folders: new Map(), items: [], count: 0 })

/** fold puts entries, newest first, into the folders of their paths. */
function intoFolders(entries: readonly WorkbenchEntry[]): Folder {
  const root = newFolder()
  for (const entry of entries) {
    // The name of the kind is the first part of the path.
    const parts = entry.path.split('/').slice(1)
    const name = parts.pop() ?? entry.path
    let at = root
    root.count++
    for (const part of parts) {
      let next = at.folders.get(part)
      if (!next) {
        next = newFolder()
        at.folders.set(part, next)
        at.items.push({ folder: part })
      }
      next.count++
      at = next
    }
    at.items.push({ entry, name })
  }
  return root
}

/** entryKey names an entry: its path, or its bytes where the path only comes near them. */
export const entryKey = (entry: Pick<WorkbenchEntry, 'path' | 'path_bytes'>): string => entry.path_bytes ? `${entry.path}\0${entry.path_bytes}` : entry.path

/** benchNodes are the nodes of workbenches that are to be seen. `open` has what somebody opened or closed, by key. */
export function benchNodes(benches: readonly Workbench[], open: ReadonlyMap<string, boolean>): BenchNode[] {
  const out: BenchNode[] = []
  const several = benches.length > 1
  benches.forEach((bench, i) => {
    const key = bench.path
    const level = several ? 2 : 1
    if (several) {
      const isOpen = bench.exists && bench.fault === '' ? (open.get(key) ?? true) : undefined
      out.push({ type: 'bench', bench, key, label: bench.name, level: 1, place: i + 1, of: benches.length, open: isOpen })
      if (!isOpen) return
    }
    if (!bench.exists || bench.fault !== '') return
    const of = kinds.length + 1
    kinds.forEach((kind, place) => addKind(out, bench, kind, { level, place: place + 1, of }, open))
    out.push({ type: 'index', bench, key: `${key}\nINDEX.md`, label: texts.workbench.index, level, place: of, of, open: undefined })
  })
  return out
}

function addKind(out: BenchNode[], bench: Workbench, kind: Kind, at: { level: number; place: number; of: number }, open: ReadonlyMap<string, boolean>) {
  const total = bench.kinds.find((k) => k.kind === kind)
  const entries = total?.entries ?? 0
  const key = `${bench.path}\n${kind}`
  const isOpen = entries === 0 ? undefined : (open.get(key) ?? entries <= openUpTo)
  out.push({ type: 'kind', bench, kind, entries, bytes: total?.bytes ?? 0, key, label: kind, ...at, open: isOpen })
  if (!isOpen) return
  const held = bench.entries.filter((entry) => entry.kind === kind)
  const left = entries - held.length
  addFolder(out, bench, intoFolders(held), key, at.level + 1, left > 0, open)
  if (left > 0) out.push({ type: 'more', bench, kind, left, key: `${key}\nmore`, label: '', level: at.level + 1, place: -1, of: -1, open: undefined })
}

function addFolder(out: BenchNode[], bench: Workbench, folder: Folder, key: string, level: number, more: boolean, open: ReadonlyMap<string, boolean>) {
  const of = more ? -1 : folder.items.length
  folder.items.forEach((item, i) => {
    const place = i + 1
    if ('entry' in item) {
      out.push({ type: 'file', bench, entry: item.entry, name: item.name, key: `${bench.path}\n${entryKey(item.entry)}`, label: item.name, level, place, of, open: undefined })
      return
    }
    const inner = folder.folders.get(item.folder) ?? newFolder()
    const folderKey = `${key}/${item.folder}`
    const isOpen = open.get(folderKey) ?? inner.count <= openUpTo
    out.push({ type: 'folder', bench, name: item.folder, entries: inner.count, key: folderKey, label: item.folder, level, place, of, open: isOpen })
    if (isOpen) addFolder(out, bench, inner, folderKey, level + 1, more, open)
  })
}
