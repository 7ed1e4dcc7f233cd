import type { Channel, StreamEvent } from '@/api'
import { rowPath } from './links'
import { texts } from './texts'
import { addressOf } from './select'
import type { NoticeKind, State } from './state'
import { visibleName } from './visible'

/** Something that a person may want to hear of while they look elsewhere. */
export interface Notice {
  kind: NoticeKind
  channelId: string
  /** Of the row, the permission or the run. */
  id: string
  /** The handle of the agent; empty: not known here. */
  who: string
  /** What it is about, in one short line: written by others, so it is data. */
  text: string
  /** Where a click leads. */
  address: string
}

/** What the person has before their eyes. */
export interface Looking {
  /** The page is seen, and is what is typed into. */
  here: boolean
  /** The channel whose chat is shown. */
  channelId: string | undefined
}

/** The longest text of a notice, in characters. */
export const longestNotice = 180

/**
 * noticeOf decides what to notify of, and nothing else does: `before` is the state before the event, `state` after it. A reply to
 * the person, a permission that is asked for, a turn that failed; not while they look at the channel, or have said that they do
 * not want to hear of it.
 */
export function noticeOf(before: State, state: State, event: StreamEvent, looking: Looking): Notice | undefined {
  if (before === state) return undefined // the stream tells some things again when it was broken
  const notice = happened(before, state, event)
  return notice && isWanted(state, notice, looking) ? notice : undefined
}

/** isWanted says whether to show a notice now: it may have waited, and what it tells of may have been seen or settled since. */
export function isWanted(state: State, notice: Notice, looking: Looking): boolean {
  const { notify, muted, notifyPaused } = state.preferences
  const channel = state.channels[notice.channelId]
  if (!channel || notifyPaused || !notify.includes(notice.kind) || muted.includes(channel.id)) return false
  if (looking.here && looking.channelId === channel.id) return false
  // Read or answered meanwhile, here or in another window.
  if (notice.kind === 'permission') return state.permissions[notice.id]?.state === 'open'
  return true
}

function happened(before: State, state: State, event: StreamEvent): Notice | undefined {
  switch (event.event) {
    case 'row.created': {
      const row = event.data
      const channel = state.channels[row.channel_id]
      if (!channel || row.kind !== 'agent' || row.note === 'interim' || !isToOwner(state, row.run_id)) return undefined
      return { kind: 'reply', channelId: channel.id, id: row.id, who: row.handle, text: excerpt(row.body), address: rowPath(addressOf(channel), row) }
    }
    case 'permission.asked': {
      const asked = event.data
      const channel = state.channels[asked.channel_id]
      if (!channel || asked.state !== 'open' || asked.id in before.permissions) return undefined
      const input: unknown = asked.input
      const command = typeof input === 'object' && input !== null && 'command' in input && typeof input.command === 'string' ? input.command : ''
      const text = asked.tool === 'spend' ? texts.notify.spend : excerpt(command ? `${asked.tool}: ${command}` : asked.tool)
      return { kind: 'permission', channelId: channel.id, id: asked.id, who: state.bindings[asked.binding_id]?.handle ?? '', text, address: pathOf(channel) }
    }
    case 'run.updated': {
      const run = event.data
      const channel = state.channels[run.channel_id]
      if (!channel || run.state !== 'failed' || before.runs[run.id]?.state === 'failed' || !isToOwner(state, run.id)) return undefined
      const address = pathOf(channel) + `/runs/${encodeURIComponent(run.id)}`
      return { kind: 'failed', channelId: channel.id, id: run.id, who: state.bindings[run.binding_id]?.handle ?? '', text: excerpt(run.failure?.message ?? ''), address }
    }
    default:
      return undefined
  }
}

/** isToOwner says whether a turn answers the person here, as far as the page knows: what nobody asked for is for them too. */
function isToOwner(state: State, runId: string): boolean {
  const asked = state.rows[state.runs[runId]?.row_id ?? '']
  return !asked || (asked.kind === 'user' && asked.handle === '')
}

const pathOf = (channel: Channel): string => '/c/' + encodeURIComponent(addressOf(channel))

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** excerpt is the beginning of a text on one line, in which nothing hides. */
export function excerpt(text: string): string {
  const line = visibleName(text.slice(0, 20 * longestNotice).replace(/\s+/g, ' ').trim())
  let out = ''
  let n = 0
  for (const { segment } of characters.segment(line)) {
    // A character may have any number of marks.
    if (++n > longestNotice || out.length + segment.length > 8 * longestNotice) return out + '…'
    out += segment
  }
  return out
}

