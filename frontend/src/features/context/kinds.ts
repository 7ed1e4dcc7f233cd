import type { Run, RunDetail } from '@/api'

/** What a turn was sent, and the parts of it. */
export type Sent = NonNullable<RunDetail['sent']>
export type Block = Sent['blocks'][number]
export type Considered = Sent['considered'][number]
export type Watermark = NonNullable<Sent['watermark_before']>
export type Saving = RunDetail['savings'][number]
export type Kind = Block['kind']

/** Every kind, in the order in which blocks are sent. */
export const kinds = ['framing', 'replay', 'payload', 'brief', 'reminder', 'rows', 'index', 'command'] as const satisfies readonly Kind[]

/** A layer of the stack: a block that was sent or had, or what Hearth did not send itself and knows only the size of. */
export interface Layer {
  id: Kind | 'earlier' | 'client'
  /** Undefined: not known. */
  tokens: number | undefined
  block?: Block
  /** It was not sent in this turn: the session had it. */
  had: boolean
}

/** contextOf is how large the first request of a turn was, by the client's count; undefined where it reports nothing. */
export function contextOf(run: Run): number | undefined {
  const first = run.usage.calls.find((call) => call.main)
  if (!first) return undefined
  const all = first.input_tokens + first.cache_read_tokens + first.cache_write_5m_tokens + first.cache_write_1h_tokens
  return all > 0 ? all : undefined
}

/**
 * layersOf is what the session held in a turn, in the order in which the model reads it. `framing` is the block that its process
 * was started with, where an earlier turn was sent it.
 */
export function layersOf(run: Run, sent: Sent, framing: Block | undefined): Layer[] {
  const blocks = sent.blocks.map((block): Layer => ({ id: block.kind, tokens: block.tokens, block, had: false }))
  const own = blocks.filter((layer) => layer.id === 'framing')
  const turn = blocks.filter((layer) => layer.id !== 'framing')
  if (own.length === 0 && framing) own.push({ id: 'framing', tokens: framing.tokens, block: framing, had: true })
  const known = [...own, ...turn].reduce((sum, layer) => sum + (layer.tokens ?? 0), 0)
  const context = contextOf(run)
  const rest = context === undefined || context <= known ? undefined : context - known
  if (run.temperature === 'cold') {
    return [...(rest === undefined ? [] : [{ id: 'client', tokens: rest, had: false } as const]), ...own, ...turn]
  }
  return [...own, { id: 'earlier', tokens: rest, had: true }, ...turn]
}

/** Of the blocks' height, how much more the layers whose text is not Hearth's may have. */
const restShare = 0.6

/**
 * heightsOf shares `height` among layers by their tokens; none is lower than `least`, so that each can be read and pressed. What
 * is much larger than all blocks is drawn smaller than it is: `scaled`.
 */
export function heightsOf(layers: readonly Layer[], height: number, least: number): { heights: number[]; scaled: boolean } {
  const isRest = (layer: Layer) => layer.id === 'earlier' || layer.id === 'client'
  const blocks = layers.reduce((sum, layer) => sum + (isRest(layer) ? 0 : (layer.tokens ?? 0)), 0)
  const weights = layers.map((layer) => (isRest(layer) ? Math.min(layer.tokens ?? 0, blocks * restShare) : (layer.tokens ?? 0)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return {
    heights: weights.map((weight) => Math.max(least, Math.round(total === 0 ? 0 : (height * weight) / total))),
    scaled: layers.some((layer, i) => isRest(layer) && (layer.tokens ?? 0) > (weights[i] ?? 0)),
  }
}

/** Why a kind was not sent. */
export type Absence = 'framing' | 'replayKnows' | 'replayNone' | 'brief' | 'reminder' | 'rows' | 'index'

/** isCommand says that a turn was sent a command of the client's, which goes alone. */
export const isCommand = (sent: Sent): boolean => sent.blocks.some((block) => block.kind === 'command')

/** absentOf are the kinds that a turn was not sent, each with the reason. What is drawn as had is not among them; nor is anything beside a command, which says it of itself. */
export function absentOf(run: Run, sent: Sent, layers: readonly Layer[]): { kind: Kind; why: Absence }[] {
  if (isCommand(sent)) return []
  const there = new Set<Layer['id']>(layers.map((layer) => layer.id))
  const sentKinds = new Set(sent.blocks.map((block) => block.kind))
  return kinds.flatMap((kind): { kind: Kind; why: Absence }[] => {
    if (there.has(kind) || kind === 'payload' || kind === 'command' || (kind === 'reminder' && !sentKinds.has('brief'))) return []
    if (kind === 'replay') return [{ kind, why: run.temperature === 'cold' ? 'replayNone' : 'replayKnows' }]
    return [{ kind, why: kind }]
  })
}

/** textOf is the turn to the byte: what its blocks say, one after the other, without the framing, which went in by itself. */
export const textOf = (sent: Sent): string => sent.blocks.filter((block) => block.kind !== 'framing').map((block) => block.text).join('')

export const sentTokens = (sent: Sent): number => sent.blocks.reduce((sum, block) => sum + block.tokens, 0)

/** inputOf is how many tokens of input a turn used, over all its requests. */
export const inputOf = ({ usage }: Run): number => usage.input_tokens + usage.cache_read_tokens + usage.cache_write_5m_tokens + usage.cache_write_1h_tokens
