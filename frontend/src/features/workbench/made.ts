import type { Workbench, WorkbenchEntry } from '@/api'

/** Workbenches for tests. */

export function makeEntry(path: string, fields: Partial<WorkbenchEntry> = {}): WorkbenchEntry {
  const kind = path.split('/')[0] as WorkbenchEntry['kind']
  return { kind, path, path_bytes: '', shown: path, what: 'file', size: 10, modified: '2026-01-02T03:04:05Z', description: '', written: 0, run: 0, ...fields }
}

export function makeBench(paths: string[], fields: Partial<Workbench> = {}): Workbench {
  const entries = paths.map((path) => makeEntry(path))
  const kinds = (['scripts', 'notes', 'artifacts', 'spill'] as const).map((kind) => {
    const n = entries.filter((e) => e.kind === kind).length
    return { kind, entries: n, bytes: n * 10, more: false }
  })
  return {
    path: '/ws/.flower', name: '.flower', outside: false, exists: true, git_ignore: 'all', binding_ids: [], kinds, entries, index: '', index_tokens: 0, cut: false, fault: '',
    ...fields,
  }
}
