import type { CacheBreak, ProcessEnd } from '@/api'

type Setting = CacheBreak['evidence']['edited'][number]

const because: Record<CacheBreak['cause'], string> = {
  expired: 'the cache had expired',
  model_changed: 'the model was changed',
  version_changed: 'Claude Code was updated',
  tools_changed: 'its tools were changed',
  framing_changed: 'what it is told at the beginning was changed',
  compaction: 'a summary took the place of the conversation',
  new_process: 'a new process answered',
  known_miss: 'a known fault of this version of Claude Code',
  client_or_api: 'Claude Code or the API lost them',
  unknown: 'why is not known',
}

const settings: Record<Setting, string> = {
  model: 'model', role: 'role', workers: 'workers', hands: 'own hands', handle: 'name', brief: 'rules in each turn', workspace: 'workspace', api: 'address of the API',
}

/** What is behind each cause, for who wants to know more than its name. */
const about: Record<CacheBreak['cause'], string> = {
  expired: 'It was asked nothing for longer than the cache keeps things.',
  model_changed: 'Each model has a cache of its own.',
  version_changed: 'A new version sends other instructions and tools.',
  tools_changed: 'Tools stand at the very beginning of what is sent, so everything after them is read anew.',
  framing_changed: 'It stands at the beginning, so everything after it is read anew.',
  compaction: 'There was another conversation to read.',
  new_process: 'A new process answered, and what it sent was not what the one before had sent.',
  known_miss: 'It ends its first request with notes of its own, and what was kept up to there is not found again. It happens once, and nothing here can prevent it.',
  client_or_api: 'Nothing changed that Hearth or you decide.',
  unknown: 'Too little is known about the two turns.',
}

/** How a process ended, wherever that is told: in a break of the cache and among an agent's last turns. */
const endings: Record<ProcessEnd['how'], string> = {
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
  unknown: 'why its process ended is not known',
}

const restore = 'Restore on its card, before it is asked again, has it go on with its saved session.'

/** What one can do about an ending that cost something. Empty: nothing. */
const advice: Record<ProcessEnd['how'], string> = {
  idle: restore,
  evicted: `${restore} With fewer agents at work at a time, each keeps its process.`,
  crashed: `${restore} Why it crashed stands in the log.`,
  fresh: '',
  closed: `${restore} A Hearth that goes on in the background keeps its agents.`,
  lost: restore,
  changed: 'Change settings between pieces of work, not in the middle of one.',
  revoked: restore,
  replaced: '',
  afresh: 'An agent that stays resident remembers, and is sent only what is new.',
  ended: restore,
  unknown: '',
}

/** That a turn read less from the cache than it could have. A part of the catalogue in en.ts. */
export const breaks = {
  endings,
  breaks: {
    because,
    about,
    edited: (names: readonly Setting[]) => `its settings were changed (${names.map((name) => settings[name]).join(', ')})`,
    anew: 'a new session began',
    restored: (ending: string) => `restored in a new process (${ending})`,
    open: (what: string, ending: string) => `${what}; ${ending}`,
    advice,
    processBefore: 'process before',
    noticed: (time: string) => `noticed when Hearth was started, ${time}`,
    agents: 'The agents of this channel',
    log: 'The log',
    reread: (tokens: string, why: string) => `Re-read ${tokens} tokens: ${why}.`,
    title: 'Cache',
    left: 'left',
    leftHint: (tokens: string) => `${tokens} tokens, by the turn before`,
    read: 'read of it',
    sent: 'sent',
    idle: 'left alone',
    idleHint: (idle: string, life: string) => `for ${idle}; it keeps things for ${life}`,
    idleUnknown: (life: string) => `for how long is not known; it keeps things for ${life}`,
    differs: 'differs',
    parts: { '': '', model: 'the model', version: 'the version', tools: 'the tools', framing: 'what it is told', system: 'the system prompt', messages: 'the messages' },
    was: 'before',
    is: 'now',
    bytes: (name: string, bytes: string) => `${name} (${bytes} bytes)`,
    said: 'the API says',
    saidTokens: (reason: string, tokens: string) => `${reason}, ${tokens} tokens`,
    quiet: 'To be expected; no alarm.',
    quietAnew: 'A conversation that begins anew reads anew; no alarm.',
    besides: 'besides',
    sameProcess: 'The same process took both turns.',
    startedAnew: 'A conversation began with this turn.',
    incomplete: 'Not everything that is compared was known of both turns.',
    before: 'The turn before',
    all: 'The cache of this channel',
  },
} as const
