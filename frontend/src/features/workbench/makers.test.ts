import { describe, expect, it, vi } from 'vitest'
import type { Api, Run, RunDetail, Saving } from '@/api'
import { Makers } from './makers'
import { makeEntry } from './made'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString()
const run = (id: string, from: number, to: number) => ({ id, queued_at: at(from), started_at: at(from), ended_at: at(to) }) as Run

describe('Makers', () => {
  const runs = [run('late', 50, 55), run('twin', 10, 20), run('maker', 9, 21), run('early', 1, 2)]
  const detail = (id: string): RunDetail => ({
    run: runs.find((r) => r.id === id) ?? runs[0]!, // eslint-disable-line @typescript-eslint/no-non-null-assertion -- of these
    savings: id === 'maker' ? [{ kind: 'spill', path: '/ws/.flower/spill/a.txt', detail: 'go test ./...' } as Saving] : [],
    steps: id === 'late' ? [{ name: 'Write', error: false, input: '{"file_path":"/ws/.flower/scripts/x.sh"}' } as RunDetail['steps'][number]] : [],
    live_text: '',
  })
  const make = () => {
    const api = { runs: vi.fn(() => Promise.resolve({ runs, more: false })), run: vi.fn((id: string) => Promise.resolve(detail(id))) }
    return { api, makers: new Makers(api as unknown as Api, 'c') }
  }
  it('finds the turn that says so among those that were going', async () => {
    const { api, makers } = make()
    const maker = await makers.find('/ws/.flower', makeEntry('spill/a.txt', { modified: at(15) }))
    expect([maker?.run.id, maker?.saving?.detail]).toEqual(['maker', 'go test ./...'])
    expect(api.run.mock.calls.map(([id]) => id)).toEqual(['twin', 'maker'])
  })
  it('finds the turn whose step wrote the file', async () => {
    const { makers } = make()
    expect((await makers.find('/ws/.flower', makeEntry('scripts/x.sh', { modified: at(51) })))?.run.id).toBe('late')
  })
  it('guesses nothing', async () => {
    const { api, makers } = make()
    expect(await makers.find('/ws/.flower', makeEntry('spill/b.txt', { modified: at(15) }))).toBeNull()
    expect(await makers.find('/ws/.flower', makeEntry('spill/b.txt', { modified: at(30) }))).toBeNull()
    expect(api.runs).toHaveBeenCalledTimes(1)
  })
})
