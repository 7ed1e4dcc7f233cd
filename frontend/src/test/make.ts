import type { Binding, CacheBreak, Channel, Permission, Row, Run, RunDetail, Saving, Setup, Step, StreamEvent, WireEvent } from '@/api'

/** Things of the API for tests: whole ones, with what a test cares about given. */

export const time = (seconds: number) => new Date(Date.UTC(2026, 0, 2, 3, 0, 0) + seconds * 1000).toISOString().replace('.000Z', 'Z')

export function makeRow(id: string, at: number, fields: Partial<Row> = {}): Row {
  return {
    id, channel_id: 'c', thread_root_id: '', kind: 'user', handle: 'aiko', binding_id: '', run_id: '', note: '', body: `body of ${id}`,
    created_at: time(at), thread_size: 0, ...fields,
  }
}

export function makeChannel(id: string, fields: Partial<Channel> = {}): Channel {
  return { id, name: id, topic: '', workspace: '/w', direct: false, git_ignore: 'all', created_at: time(0), newest_row_id: '', read_row_id: '', unread: 0,
    spend_limit_usd: 0, spent_today_usd: 0, spend_state: '', ...fields }
}

export function makeRun(id: string, state: Run['state'], fields: Partial<Run> = {}): Run {
  return {
    id, channel_id: 'c', binding_id: 'b', row_id: 'r1', thread_root_id: '', cause: 'mention', retry_of: '', hops: 0, state,
    temperature: '', native: '', message_uuid: '', reply_id: '', queued_at: time(0),
    usage: {
      input_tokens: 0, cache_read_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0, output_tokens: 0, cost_usd: 0, calls: [],
      thinking_tokens: 0, context_tokens: 0, context_window_tokens: 0, ttft_ms: 0,
    },
    ...fields,
  }
}

export function makeBreak(fields: Partial<CacheBreak> = {}, evidence: Partial<CacheBreak['evidence']> = {}): CacheBreak {
  return {
    cause: 'client_or_api', sentence: 'Nothing changed.', quiet: false, missed_tokens: 84_000, before_run_id: 'before', ...fields,
    evidence: {
      left_tokens: 90_000, read_tokens: 6000, sent_tokens: 91_000, life_ms: 300_000, differs: '', was: '', is: '', was_bytes: 0, is_bytes: 0,
      api_said: '', api_tokens: 0, edited: [], same_process: true, anew: false, restored: false, complete: true, ...evidence,
    },
  }
}

export function makeStep(n: number, fields: Partial<Step> = {}): Step {
  return { n, kind: 'tool', id: `t${n}`, parent: '', name: 'Read', input: '{}', output: '', error: false, at: time(n), took_ms: 0, ...fields }
}

export const textStep = (n: number, output = '') => makeStep(n, { kind: 'text', id: '', name: '', input: '', output, took_ms: 1 })

export function makeDetail(run: Run, live_text = '', steps: Step[] = [], savings: Saving[] = []): RunDetail {
  return { run, steps, savings, live_text, before_run_id: '' }
}

export function makeSaving(kind: Saving['kind'], fields: Partial<Saving> = {}): Saving {
  return { kind, step_id: '', agent_id: '', tool: 'Bash', detail: '', path: '', chars: 0, lines: 0, tokens: 0, fault: '', at: time(0), ...fields }
}

export function makeBinding(id: string, fields: Partial<Binding> = {}): Binding {
  return {
    id, handle: 'claude', channel_id: 'c', runtime: 'cli:claude:agent', model: '', permission_mode: '', supervised: true, resident: true, base_url: '', has_token: false,
    brief_every_turn: false, role: 'plain', glance: true, hands: [], workers: [], spill_over: 4000, created_at: time(0), ...fields,
  }
}

export function makeSetup(claude: Partial<Setup['claude']> = {}): Setup {
  return {
    claude: { found: true, path: '/bin/claude', version: '2.1.332', signed_in: 'yes', signed_in_by: 'claude.ai', command: '', problem: '', how: '', ...claude },
    default_workspace: '/w', first_channel_id: '',
  }
}

export function makePermission(id: string, fields: Partial<Permission> = {}): Permission {
  return {
    id, run_id: 'run', channel_id: 'c', binding_id: 'b', tool: 'Bash', agent_id: '', reason: '', blocked_path: '', workspace: '/w',
    rules: [], state: 'open', rule: '', message: '', asked_at: time(0), ...fields,
  }
}

type DataOf<T extends WireEvent['event']> = Extract<WireEvent, { event: T }>['data']

/** makeEvent is an event of the stream of epoch "e". */
export function makeEvent<T extends WireEvent['event']>(seq: number, event: T, data: DataOf<T>, epoch = 'e'): StreamEvent {
  return { id: `${epoch}-${seq}`, epoch, seq, event, data } as StreamEvent
}
