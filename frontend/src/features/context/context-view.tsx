import { useState } from 'react'
import { addressOf, problemOf, selectAgents, texts, useSelect, useSelector } from '@/core'
import { useAgentStates } from '@/features/agent'
import { Button, EmptyState, ErrorNote, Segmented, Skeleton } from '@/ui'
import './context.css'
import { KnowledgeLine } from './knowledge-line'
import { TurnList } from './turn-list'
import { TurnView } from './turn-view'
import { useTurns } from './use-turns'

export interface ContextViewProps {
  channelId: string
  /** The turn that the address names; otherwise the newest one that was sent something is shown. */
  runId?: string | undefined
}

/** Of so many agents each says what it knows; of more, only the one whose turn is shown. */
const mostSaid = 3

/** ContextView is what the agents of a channel know: a sentence each, the column of turns, and what the chosen one was sent. */
export default function ContextView({ channelId, runId }: ContextViewProps) {
  useAgentStates(channelId)
  const agents = useSelector(selectAgents, channelId)
  const known = useSelect((s) => s.people[channelId] !== undefined)
  const channel = useSelect((s) => s.channels[channelId])
  const [wanted, setWanted] = useState('')
  // One that was removed meanwhile is not asked for any more.
  const whose = agents.find((a) => a.binding.id === wanted)
  const { turns, pages } = useTurns(channelId, whose?.binding.id)
  const chosen = runId ?? (turns?.find((run) => run.started_at && run.cause !== 'unasked') ?? turns?.[0])?.id
  const ofChosen = useSelect((s) => s.runs[chosen ?? '']?.binding_id)
  const said = whose ? [whose] : agents.length <= mostSaid ? agents : agents.filter((a) => a.binding.id === (ofChosen ?? agents[0]?.binding.id))
  return (
    <div className="@container h-full">
      <div className="flex flex-col gap-3 p-4 @3xl:h-full @3xl:gap-0 @3xl:p-0">
        {said.length > 0 && (
          <section aria-label={texts.context.title} className="flex flex-col gap-1 @3xl:border-b @3xl:border-line @3xl:px-4 @3xl:py-3">
            {said.map((agent) => (
              <KnowledgeLine key={agent.binding.id} agent={agent} />
            ))}
          </section>
        )}
        {turns?.length === 0 && !runId ? (
          known && (
            <EmptyState
              title={whose ? texts.context.noneOf(whose.binding.handle) : texts.context.none}
              hint={texts.context.noneHint((whose ?? agents[0])?.binding.handle)}
            >
              {whose && <Button size="sm" onClick={() => setWanted('')}>{texts.context.all}</Button>}
            </EmptyState>
          )
        ) : (
          <div className="flex flex-col gap-4 @3xl:grid @3xl:min-h-0 @3xl:flex-1 @3xl:grid-cols-[minmax(15rem,18rem)_1fr] @3xl:gap-0">
            <div className="flex min-h-0 flex-col gap-2 @3xl:border-r @3xl:border-line">
              {agents.length > 1 && (
                <div className="@3xl:p-2">
                  <Segmented
                    label={texts.context.whose}
                    value={whose?.binding.id ?? ''}
                    onChange={setWanted}
                    options={[{ value: '', text: texts.context.all }, ...agents.map(({ binding }) => ({ value: binding.id, text: '@' + binding.handle }))]}
                  />
                </div>
              )}
              {turns && channel ? (
                <TurnList channel={addressOf(channel)} turns={turns} chosen={chosen} pages={pages} named={!whose && agents.length !== 1} />
              ) : pages.isError ? (
                <ErrorNote action={<Button size="sm" onClick={() => void pages.refetch()}>{texts.common.tryAgain}</Button>}>{problemOf(pages.error).message}</ErrorNote>
              ) : (
                <Skeleton lines={5} className="p-3" />
              )}
            </div>
            <div className="@container min-w-0 @3xl:overflow-y-auto @3xl:p-4">{chosen !== undefined && <TurnView key={chosen} runId={chosen} />}</div>
          </div>
        )}
      </div>
    </div>
  )
}
