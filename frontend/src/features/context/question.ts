import type { Row, Run } from '@/api'
import { compareTimes } from '@/core'

/** As much of a message as names the turn that answers it. */
export type Asked = Pick<Row, 'body' | 'edited_at' | 'deleted_at'>

/** Question is what a turn is called by. */
export interface Question {
  /** What the message says now, without the mention of the agent that the turn says already. Empty: nothing, or not known. */
  text: string
  /** What became of the message after the turn was sent it, as it said then. The turn's blocks have that. */
  since: 'edited' | 'deleted' | undefined
}

/** questionOf names a turn by the message that it answers. */
export function questionOf(run: Run, asked: Asked | undefined, handle: string): Question {
  if (!asked) return { text: '', since: undefined }
  const after = (at: string | undefined) => at !== undefined && run.started_at !== undefined && compareTimes(at, run.started_at) > 0
  const mention = '@' + handle
  const text = asked.body.startsWith(mention) ? asked.body.slice(mention.length).trim() : asked.body
  return { text, since: after(asked.deleted_at) ? 'deleted' : after(asked.edited_at) ? 'edited' : undefined }
}
