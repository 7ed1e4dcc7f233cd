import type { CacheBreak, CacheSum, CacheTurn, Tokens } from '@/api'
import { formatCount, formatMoney, formatShare, formatTokens, texts, whenOf } from '@/core'
import { whyOf } from '@/features/run'

/** What a turn's own requests sent, apart by what the cache did with it. In tokens. */
export interface Bar {
  turn: CacheTurn
  read: number
  written: number
  fresh: number
}

export const writtenOf = (t: Tokens): number => t.cache_write_5m_tokens + t.cache_write_1h_tokens

/** sentOf is all that was sent, whatever the cache did with it. */
export const sentOf = (t: Tokens): number => t.input_tokens + t.cache_read_tokens + writtenOf(t)

/** usedOf is all that was sent and answered. */
export const usedOf = (t: Tokens): number => sentOf(t) + t.output_tokens

/** wholeOf is what a sum used in its three parts together. */
export const wholeOf = (s: CacheSum): number => usedOf(s.main) + usedOf(s.subagents) + usedOf(s.beside)

/** What of a sum, or of one turn, its cost is told by. */
type Priced = Pick<CacheSum, 'cost_usd' | 'unpriced_turns'>

/** costOf is a cost in dollars; undefined: nothing of it is known. Where `unpriced_turns` are among others, it is the least it can have been. */
export const costOf = (s: Priced): number | undefined => (s.cost_usd === 0 && s.unpriced_turns > 0 ? undefined : s.cost_usd)

/** costText is a cost as it is told: money, at least so much, or that it is not known. */
export function costText(s: Priced): string {
  const cost = costOf(s)
  if (cost === undefined) return texts.run.costUnknown
  return s.unpriced_turns > 0 ? texts.cache.atLeast(formatMoney(cost)) : formatMoney(cost)
}

/** barsOf are turns, newest first as they are fetched, as they are drawn: oldest first. */
export const barsOf = (turns: readonly CacheTurn[]): Bar[] =>
  turns.toReversed().map((turn) => ({ turn, read: turn.main.cache_read_tokens, written: writtenOf(turn.main), fresh: turn.main.input_tokens }))

/** breakText is a break in a few words, with what it cost. */
export const breakText = (b: CacheBreak): string => texts.cache.missed(whyOf(b), formatTokens(b.missed_tokens))

/** spokenTurn is a turn in a sentence: what hovering shows is what arrow keys say. */
export function spokenTurn({ turn, read, written, fresh }: Bar): string {
  return texts.cache.oneTurn({
    handle: turn.handle, when: whenOf(turn.ended_at), read: formatCount(read), written: formatCount(written), fresh: formatCount(fresh),
    ratio: turn.read_ratio === undefined ? '' : formatShare(turn.read_ratio), cost: costOf(turn) === undefined ? texts.cache.itsCostUnknown : turn.cost_usd > 0 ? formatMoney(turn.cost_usd) : '',
    break: turn.break ? breakText(turn.break) : '',
  })
}

/** A point of an agent's context: what its conversation held after a turn. */
export interface Held {
  turn: CacheTurn
  context: number
}

/** heldOf are the turns of an agent after which the size of its conversation is known, oldest first. */
export const heldOf = (turns: readonly CacheTurn[], bindingId: string): Held[] =>
  turns.filter((t) => t.binding_id === bindingId && t.context_tokens > 0).map((turn) => ({ turn, context: turn.context_tokens })).toReversed()

/**
 * foreseenOf continues a trend: the sizes after the next turns, until one comes to the line, at most `most` of them. Empty where
 * nothing grows.
 */
export function foreseenOf(context: number, perTurn: number, line: number, most: number): number[] {
  const out: number[] = []
  if (perTurn <= 0 || context <= 0) return out
  for (let at = context; out.length < most && (line <= 0 || at < line); ) out.push((at += perTurn))
  return out
}
