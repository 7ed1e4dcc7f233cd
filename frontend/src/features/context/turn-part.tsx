import { Link, useParams } from '@tanstack/react-router'
import { texts } from '@/core'
import './context.css'
import { TurnView } from './turn-view'

/** TurnPart is what a turn was sent, at the foot of all else that is told of it. */
export default function TurnPart({ runId }: { runId: string }) {
  const { channel = '' } = useParams({ strict: false })
  return (
    <section aria-label={texts.context.sentTitle} className="@container border-t border-line p-4">
      <div className="mb-2 flex items-baseline justify-between gap-2">
        <h3 className="text-title font-semibold">{texts.context.sentTitle}</h3>
        <Link to="/c/$channel/context/$run" params={{ channel, run: runId }} search className="rounded-sm text-accent underline underline-offset-2">
          {texts.context.openContext}
        </Link>
      </div>
      <TurnView runId={runId} part />
    </section>
  )
}
