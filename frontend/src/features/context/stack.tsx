import { Tabs as Radix } from 'radix-ui'
import { useState } from 'react'
import type { Run } from '@/api'
import { formatCount, formatTokens, texts } from '@/core'
import { CopyButton, cx } from '@/ui'
import { ExactText } from './exact-text'
import { absentOf, heightsOf, layersOf, type Block, type Layer, type Sent } from './kinds'

/** How high the stack is drawn, and the lowest layer of it, in pixels at the usual size. */
const stackHeight = 300
const leastHeight = 30

const sizeOf = ({ tokens = 0, block }: Layer): string => (block ? '' : '~') + (tokens < 1000 ? formatCount(tokens) : formatTokens(tokens))

export interface StackProps {
  run: Run
  sent: Sent
  /** What the process was started with, where an earlier turn was sent it. */
  framing: Block | undefined
  /** How many turns the session had before this one. */
  earlier: { count: number; atLeast: boolean }
}

/** Stack is what a session held in a turn, block by block from top to bottom as the model reads it; the chosen block's text beside it. */
export function Stack({ run, sent, framing, earlier }: StackProps) {
  const layers = layersOf(run, sent, framing)
  const { heights, scaled } = heightsOf(layers, stackHeight, leastHeight)
  const [wanted, setWanted] = useState<Layer['id']>()
  // Nobody has chosen: what is new to it first.
  const chosen = layers.find((l) => l.id === wanted) ?? layers.find((l) => l.id === 'rows') ?? layers.find((l) => l.id === 'payload' || l.id === 'command') ?? layers[0]
  if (!chosen) return null
  return (
    <Radix.Root
      orientation="vertical"
      value={chosen.id}
      onValueChange={(value) => setWanted(layers.find((l) => l.id === value)?.id)}
      className="flex flex-col gap-3 @2xl:grid @2xl:grid-cols-[minmax(15rem,2fr)_5fr] @2xl:items-start"
    >
      <div className="min-w-0">
        <Radix.List aria-label={texts.context.stack} className="flex flex-col gap-px overflow-hidden rounded-md border border-edge bg-edge">
          {layers.map((layer, i) => (
            <Radix.Trigger
              key={layer.id}
              value={layer.id}
              data-layer={layer.id}
              style={{ height: `${(heights[i] ?? leastHeight) / 16}rem` }}
              className={cx(
                'keep-colour relative flex shrink-0 items-start gap-2 border-s-4 border-(--layer) px-2 py-1 text-start -outline-offset-2 hover:brightness-97 dark:hover:brightness-110',
                layer.had ? 'hatched' : layer.id === 'client' ? 'bg-ground' : 'bg-(--layer-ground)',
              )}
            >
              <span className={cx('min-w-0 flex-1 truncate', layer.id === chosen.id ? 'font-semibold' : 'font-medium')}>
                {texts.context.kinds[layer.id]}
                {layer.had && <span className="font-normal text-soft"> · {texts.context.had}</span>}
              </span>
              {layer.tokens !== undefined && (
                <span className="shrink-0">
                  <span aria-hidden>{sizeOf(layer)}</span>
                  <span className="sr-only">{(layer.block ? texts.context.tokens : texts.context.about)(formatCount(layer.tokens))}</span>
                </span>
              )}
              {layer.id === chosen.id && <span aria-hidden className="absolute inset-0 border-2 border-text" />}
            </Radix.Trigger>
          ))}
        </Radix.List>
        <p className="mt-1 text-small text-soft">
          {[
            layers.some((l) => l.had) && texts.context.hadHint,
            scaled && texts.context.scaled(texts.context.kinds[run.temperature === 'cold' ? 'client' : 'earlier']),
            texts.context.tokensHint,
          ].filter(Boolean).join(' ')}
        </p>
      </div>
      <Radix.Content value={chosen.id} tabIndex={-1} className="min-w-0 outline-none">
        <LayerText run={run} sent={sent} layer={chosen} earlier={earlier} />
      </Radix.Content>
      <Absent run={run} sent={sent} layers={layers} />
    </Radix.Root>
  )
}

function whyOf(run: Run, sent: Sent, layer: Layer, earlier: StackProps['earlier']): string {
  const { why } = texts.context
  switch (layer.id) {
    case 'framing':
      return layer.had ? why.framingHad : why.framing
    case 'rows':
      return sent.watermark_before?.native === run.native ? why.rowsNew : why.rowsFirst
    case 'earlier':
      return why.earlier(earlier.count === 0 ? texts.context.earlierUnknown : texts.context.earlierTurns(earlier.count, earlier.atLeast))
    default:
      return why[layer.id]
  }
}

function LayerText({ run, sent, layer, earlier }: { run: Run; sent: Sent; layer: Layer; earlier: StackProps['earlier'] }) {
  const name = texts.context.kinds[layer.id]
  const { block } = layer
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1 text-soft">
          <span className="font-medium text-text">{name}</span>
          {block && ` · ${texts.context.tokens(formatCount(block.tokens))} · ${texts.context.characters(block.characters)}`}
          {!block && layer.tokens !== undefined && ` · ${texts.context.about(formatCount(layer.tokens))}`}
          <span className="block">{whyOf(run, sent, layer, earlier)}</span>
        </p>
        {block && <CopyButton text={block.text} done={texts.common.copied}>{texts.context.copyBlock}</CopyButton>}
      </div>
      {block && <ExactText key={layer.id} label={texts.context.text(name)}>{block.text.replace(/^\n+/, '')}</ExactText>}
    </div>
  )
}

function Absent({ run, sent, layers }: { run: Run; sent: Sent; layers: readonly Layer[] }) {
  const absent = absentOf(run, sent, layers)
  if (absent.length === 0) return null
  return (
    <section aria-label={texts.context.absentTitle} className="text-small text-soft @2xl:col-span-2">
      <h4 className="font-medium">{texts.context.absentTitle}</h4>
      <ul>
        {absent.map(({ kind, why }) => (
          <li key={kind}>
            <span className="text-text">{texts.context.kinds[kind]}</span>: {texts.context.absent[why]}
          </li>
        ))}
      </ul>
    </section>
  )
}
