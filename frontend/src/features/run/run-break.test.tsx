import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { CacheBreak } from '@/api'
import { makeBreak, makeDetail, makeRun } from '@/test/make'
import { json, renderPage } from '@/test/page'
import { breakOf } from './run-break'
import RunDetail from './run-detail'
import { RunFooter } from './run-footer'

const causes: Record<CacheBreak['cause'], string> = {
  expired: 'Re-read 84.0k tokens: the cache had expired.',
  model_changed: 'Re-read 84.0k tokens: the model was changed.',
  version_changed: 'Re-read 84.0k tokens: Claude Code was updated.',
  tools_changed: 'Re-read 84.0k tokens: its tools were changed.',
  framing_changed: 'Re-read 84.0k tokens: what it is told at the beginning was changed.',
  compaction: 'Re-read 84.0k tokens: a summary took the place of the conversation.',
  new_process: 'Re-read 84.0k tokens: a new process answered.',
  known_miss: 'Re-read 84.0k tokens: a known fault of this version of Claude Code.',
  client_or_api: 'Re-read 84.0k tokens: Claude Code or the API lost them.',
  unknown: 'Re-read 84.0k tokens: why is not known.',
}

describe('breakOf', () => {
  it.each(Object.entries(causes))('has a plain sentence for %s', (cause, want) => {
    expect(breakOf(makeBreak({ cause: cause as CacheBreak['cause'] }))).toBe(want)
  })

  it('says that it was the settings where a person changed them', () => {
    const found = makeBreak({ cause: 'tools_changed' }, { edited: ['role', 'workers'] })
    expect(breakOf(found)).toBe('Re-read 84.0k tokens: its settings were changed (role, workers).')
  })

  it('tells a new conversation from a new process', () => {
    expect(breakOf(makeBreak({ cause: 'new_process', quiet: true }, { anew: true }))).toBe('Re-read 84.0k tokens: a new session began.')
  })
})

type How = NonNullable<CacheBreak['evidence']['process_end']>['how']

const endings: Record<How, string> = {
  idle: 'its process ended after being idle',
  evicted: 'its process made room for another agent',
  crashed: 'its process crashed',
  fresh: 'it was started fresh',
  closed: 'Hearth was closed',
  lost: 'Hearth was not closed in order',
  changed: 'its settings were changed',
  revoked: 'a permission was taken back',
  replaced: 'its process ended to restore a saved session',
  afresh: 'it keeps no process between its turns',
  ended: 'its process ended',
  unknown: 'a new session began; why its process ended is not known',
}

const anew = (how: How, reason = '', at?: string) =>
  makeBreak({ cause: 'new_process', quiet: true }, { anew: true, same_process: false, process_end: { how, reason, ...(at === undefined ? {} : { at }) } })

describe('what ended the process before', () => {
  it.each(Object.entries(endings))('is said of %s', (how, want) => {
    expect(breakOf(anew(how as How))).toBe(`Re-read 84.0k tokens: ${want}.`)
  })

  it('is no new session where the saved one was restored', () => {
    const found = makeBreak({ cause: 'new_process' }, { restored: true, process_end: { how: 'crashed', reason: '' } })
    expect(breakOf(found)).toBe('Re-read 84.0k tokens: restored in a new process (its process crashed).')
  })

  it('says no more than is known of a new process', () => {
    const found = makeBreak({ cause: 'new_process' }, { process_end: { how: 'unknown', reason: '' } })
    expect(breakOf(found)).toBe('Re-read 84.0k tokens: a new process answered; why its process ended is not known.')
  })

  it('leaves another cause and a change of settings what they are', () => {
    const ended = { process_end: { how: 'idle', reason: '' } } as const
    expect(breakOf(makeBreak({ cause: 'expired' }, ended))).toBe('Re-read 84.0k tokens: the cache had expired.')
    expect(breakOf(makeBreak({ cause: 'new_process' }, { ...ended, edited: ['api'] }))).toBe('Re-read 84.0k tokens: its settings were changed (address of the API).')
  })
})

describe('RunFooter', () => {
  const footer = async (found?: CacheBreak) => {
    const run = makeRun('x', 'succeeded', { temperature: 'warm', ...(found && { break: found }) })
    await renderPage(<RunFooter run={run} channel="backend" />)
    return screen.queryByRole('link', { name: /^Re-read/ })
  }

  it('marks an alarm and leads to what it was judged by', async () => {
    const link = await footer(makeBreak({ cause: 'model_changed' }))
    expect(link).toHaveAttribute('href', '/c/backend/runs/x#cache')
    expect(link).toHaveClass('text-amber')
    expect(link?.querySelector('svg')).not.toBeNull()
  })

  it('says quietly what was to be expected', async () => {
    const link = await footer(makeBreak({ cause: 'known_miss', quiet: true }))
    expect(link).toHaveTextContent('a known fault')
    expect(link).not.toHaveClass('text-amber')
    expect(link?.querySelector('svg')).toBeNull()
  })

  it('says nothing where the cache was read', async () => {
    expect(await footer()).toBeNull()
  })
})

describe('RunDetail', () => {
  const detail = async (found: CacheBreak) => {
    const run = makeRun('x', 'succeeded', { started_at: '2026-01-02T03:04:05Z', ended_at: '2026-01-02T03:04:06Z', break: found })
    await renderPage(<RunDetail runId="x" />, { runs: { x: run } }, () => json(makeDetail(run)))
    return screen.getByRole('region', { name: 'Cache' })
  }

  it('shows the evidence, and the turn it is compared with', async () => {
    const section = await detail(
      makeBreak(
        { cause: 'tools_changed', sentence: 'The tools changed.' },
        {
          left_tokens: 91_000, read_tokens: 7000, sent_tokens: 92_345, idle_ms: 41_000, differs: 'tools', was: 'aaaa', is: 'bbbb', was_bytes: 900, is_bytes: 1910,
          api_said: 'tools_changed', api_tokens: 83_999,
        },
      ),
    )
    for (const text of ['Re-read 84.0k tokens: its tools were changed. Tools stand at the very beginning', '91,000 tokens, by the turn before', '7,000', '92,345', 'for 41 s; it keeps things for 5 min', 'aaaa (900 bytes)', 'bbbb (1,910 bytes)', 'tools_changed, 83,999 tokens']) {
      expect(section).toHaveTextContent(text)
    }
    expect(screen.getByRole('link', { name: 'The turn before' })).toHaveAttribute('href', expect.stringContaining('/runs/before'))
    expect(screen.getByText('not known')).toBeInTheDocument() // what it cost
  })

  it('says how the process before ended, when, and what one can do', async () => {
    const section = await detail(anew('crashed', 'exit status 9', '2026-01-02T03:00:00Z'))
    for (const text of ['Re-read 84.0k tokens: its process crashed.', /process beforeits process crashed: exit status 9 \(.*Jan 2.*\)/, 'Restore on its card, before it is asked again,', 'A conversation that begins anew reads anew; no alarm.']) expect(section).toHaveTextContent(text)
    expect(screen.getByRole('link', { name: 'The agents of this channel' })).toHaveAttribute('href', expect.stringMatching(/\/roster$/))
    expect(screen.getByRole('link', { name: 'The log' })).toHaveAttribute('href', '/logs')
  })

  it('says of a Hearth that was not closed in order when that was noticed', async () => {
    const section = await detail(anew('lost', 'Hearth ended', '2026-01-02T03:00:00Z'))
    expect(section).toHaveTextContent(/Hearth was not closed in order \(noticed when Hearth was started, .*Jan 2.*\)/)
  })

  it('gives no advice where the end cost nothing', async () => {
    const section = await detail(makeBreak({ cause: 'expired', quiet: true }, { process_end: { how: 'idle', reason: '' } }))
    expect(section).toHaveTextContent('process beforeits process ended after being idle')
    expect(section).not.toHaveTextContent('Restore on its card')
    expect(screen.queryByRole('link', { name: 'The agents of this channel' })).toBeNull()
  })

  it('leaves out what is not known', async () => {
    const section = await detail(makeBreak({ cause: 'unknown' }))
    expect(section).toHaveTextContent('for how long is not known; it keeps things for 5 min')
    for (const text of ['differs', 'the API says', 'Not everything', 'process before']) expect(section).not.toHaveTextContent(text)
  })
})
