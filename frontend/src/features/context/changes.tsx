import { useMemo } from 'react'
import type { Run } from '@/api'
import { formatCount, problemOf, texts, whenOf } from '@/core'
import { Button, ErrorNote, Skeleton } from '@/ui'
import { diffText } from './diff'
import { ExactText } from './exact-text'
import { kinds, type Block, type Kind, type Sent } from './kinds'
import { useTurnBefore } from './use-turn'

/** Changes is how what a turn was sent differs from what the agent's turn before it was sent, block by block. `beforeId`: that turn; empty: none. */
export function Changes({ run, sent, beforeId }: { run: Run; sent: Sent; beforeId: string }) {
  const before = useTurnBefore(beforeId)
  if (before.isPending) return <Skeleton lines={4} />
  if (before.isError) {
    return (
      <ErrorNote action={<Button size="sm" onClick={() => void before.refetch()}>{texts.common.tryAgain}</Button>}>{problemOf(before.error).message}</ErrorNote>
    )
  }
  if (before.data === null) return <p className="text-soft">{texts.context.noBefore}</p>
  const { run: other, sent: was, passed } = before.data
  const find = (of: Sent, kind: Kind) => of.blocks.find((block) => block.kind === kind)
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">
        {texts.context.against(whenOf(other.started_at ?? other.queued_at))} {passed && texts.context.passed} {other.native !== run.native && texts.context.againstOtherSession}
      </p>
      {kinds.map((kind) => (
        <Change key={kind} kind={kind} was={find(was, kind)} is={find(sent, kind)} />
      ))}
    </div>
  )
}

function Change({ kind, was, is }: { kind: Kind; was: Block | undefined; is: Block | undefined }) {
  if (!was && !is) return null
  const name = texts.context.kinds[kind]
  const same = was?.text === is?.text
  const by = (is?.tokens ?? 0) - (was?.tokens ?? 0)
  const what = same ? 'same' : !was ? 'added' : !is ? 'removed' : 'changed'
  return (
    <section aria-label={name}>
      <h4 data-layer={kind} className="flex items-baseline gap-2 border-s-4 border-(--layer) ps-2">
        <span className="font-medium">{name}</span>
        <span className="min-w-0 flex-1 text-soft">{texts.context[what]}</span>
        {by !== 0 && <span className="shrink-0 text-soft">{texts.context.tokens(by > 0 ? texts.context.more(formatCount(by)) : texts.context.less(formatCount(-by)))}</span>}
      </h4>
      {what === 'added' && is && <Whole label={name} block={is} />}
      {what === 'removed' && was && <Whole label={name} block={was} />}
      {what === 'changed' && <Difference label={name} before={was?.text ?? ''} after={is?.text ?? ''} />}
    </section>
  )
}

function Whole({ label, block }: { label: string; block: Block }) {
  return (
    <div className="mt-1">
      <ExactText label={texts.context.text(label)}>{block.text.replace(/^\n+/, '')}</ExactText>
    </div>
  )
}

function Difference({ label, before, after }: { label: string; before: string; after: string }) {
  const { pieces, whole } = useMemo(() => diffText(before.replace(/^\n+/, ''), after.replace(/^\n+/, '')), [before, after])
  return (
    <div className="mt-1">
      {whole && <p className="text-small text-soft">{texts.context.tooLong}</p>}
      <ExactText label={texts.context.text(label)}>
        {pieces.map((piece, i) =>
          piece.kind === 'same' ? (
            piece.text
          ) : piece.kind === 'added' ? (
            <ins key={i} className="rounded-sm bg-green-ground text-green no-underline">
              <span className="sr-only">{texts.context.addedText} </span>
              {piece.text}
            </ins>
          ) : (
            <del key={i} className="rounded-sm bg-red-ground text-red">
              <span className="sr-only">{texts.context.removedText} </span>
              {piece.text}
            </del>
          ),
        )}
      </ExactText>
    </div>
  )
}
