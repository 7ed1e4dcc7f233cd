import { texts } from '@/core'
import { CopyButton } from '@/ui'
import { ExactText } from './exact-text'
import { textOf, type Sent } from './kinds'

/** Raw is what was sent, to the byte: the framing, which went in when the process started, and the turn. */
export function Raw({ sent }: { sent: Sent }) {
  const framing = sent.blocks.find((block) => block.kind === 'framing')?.text
  return (
    <div className="flex flex-col gap-3">
      {framing !== undefined && <Part title={texts.context.rawFraming} text={framing} />}
      <Part title={texts.context.rawTurn} text={textOf(sent)} />
    </div>
  )
}

function Part({ title, text }: { title: string; text: string }) {
  return (
    <section aria-label={title}>
      <div className="mb-1 flex items-center justify-between gap-2">
        <h4 className="font-medium">{title}</h4>
        <CopyButton text={text} done={texts.common.copied}>{texts.context.copyAll}</CopyButton>
      </div>
      <ExactText tall label={title}>{text}</ExactText>
    </section>
  )
}
