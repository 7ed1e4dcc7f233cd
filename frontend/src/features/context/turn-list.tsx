import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import type { Run } from '@/api'
import { formatTokens, handleOf, hasEnded, problemOf, texts, useSelect } from '@/core'
import { Button, cx, Dot, ErrorNote, RelativeTime, Spinner, type DotTone } from '@/ui'
import { inputOf } from './kinds'
import { questionOf, type Asked } from './question'
import type { TurnPages } from './use-turns'

export interface TurnListProps {
  /** How the channel is named in addresses. */
  channel: string
  turns: readonly Run[]
  chosen: string | undefined
  pages: TurnPages
  /** Whose turn it is stands with each. */
  named: boolean
}

/** So near its end, in pixels, the next page is fetched. */
const nearEnd = 400

/** TurnList is a channel's turns, newest first. Arrow keys choose; what is older is fetched as it is scrolled to. */
export function TurnList({ channel, turns, chosen, pages, named }: TurnListProps) {
  const navigate = useNavigate()
  const list = useRef<HTMLOListElement>(null)
  // Tab stops at one of them: the chosen one, or the first where that is not in the list.
  const stop = turns.some((run) => run.id === chosen) ? chosen : turns[0]?.id
  // What the address names is seen where it stands.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = links.findIndex((a) => a === document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key]
    const link = to === undefined || at < 0 ? undefined : links[to]
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const run = turns[to]
    if (!link || !run) return
    link.focus()
    void navigate({ to: '/c/$channel/context/$run', params: { channel, run: run.id }, search: true, replace: true })
  }
  const questions = useMemo(() => Object.assign({}, ...(pages.data?.pages ?? []).map((page) => page.questions)) as Record<string, Asked>, [pages.data])
  const more = pages.hasNextPage && !pages.isFetchingNextPage
  return (
    <nav
      aria-label={texts.context.turns}
      onScroll={({ currentTarget: box }) => {
        if (more && !pages.isError && box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd) void pages.fetchNextPage()
      }}
      className="max-h-44 overflow-y-auto rounded-md border border-line @3xl:max-h-none @3xl:min-h-0 @3xl:flex-1 @3xl:rounded-none @3xl:border-0 @3xl:border-t"
    >
      <ol ref={list} onKeyDown={onKeyDown}>
        {turns.map((run) => (
          <li key={run.id} className="[contain-intrinsic-size:auto_3.25rem] [content-visibility:auto]">
            <Turn channel={channel} run={run} chosen={run.id === chosen} stop={run.id === stop} named={named} asked={questions[run.row_id]} />
          </li>
        ))}
      </ol>
      <div className="flex min-h-8 items-center justify-center p-1 text-small text-soft">
        {pages.isError ? (
          <ErrorNote className="flex-1" action={<Button size="sm" onClick={() => void pages.fetchNextPage()}>{texts.common.tryAgain}</Button>}>
            {problemOf(pages.error).message}
          </ErrorNote>
        ) : pages.isFetchingNextPage ? (
          <Spinner label={texts.app.loading} />
        ) : pages.hasNextPage ? (
          <Button size="sm" tone="quiet" onClick={() => void pages.fetchNextPage()}>{texts.context.older}</Button>
        ) : (
          texts.context.allShown
        )}
      </div>
    </nav>
  )
}

const toneOf = (run: Run): DotTone =>
  run.state === 'failed' ? 'broken' : run.state === 'running' ? 'busy' : hasEnded(run) && run.state === 'succeeded' ? 'on' : 'off'

interface TurnProps {
  channel: string
  run: Run
  chosen: boolean
  stop: boolean
  named: boolean
  /** The message it answers, where the chat does not hold that. */
  asked: Asked | undefined
}

function Turn({ channel, run, chosen, stop, named, asked }: TurnProps) {
  const handle = useSelect((s) => handleOf(s, run.binding_id)) ?? texts.run.ofAgent
  const row = useSelect((s) => s.rows[run.row_id])
  const { text, since } = questionOf(run, row ?? asked, handle)
  const input = inputOf(run)
  const facts = [
    run.temperature === '' ? '' : texts.run.temperature[run.temperature],
    texts.run.state[run.state],
    input > 0 ? texts.context.input(formatTokens(input)) : '',
  ].filter(Boolean)
  return (
    <Link
      to="/c/$channel/context/$run"
      params={{ channel, run: run.id }}
      search
      aria-current={chosen ? 'true' : undefined}
      tabIndex={stop ? 0 : -1}
      className={cx('flex flex-col px-2 py-1.5 -outline-offset-2', chosen ? 'bg-chosen' : 'hover:bg-hover')}
    >
      <span className="flex items-center gap-2">
        <Dot tone={toneOf(run)} />
        <span className="min-w-0 flex-1 truncate" dir="auto">
          {named && <span className="font-medium">@{handle} </span>}
          <span className={named ? 'text-soft' : undefined}>{text || texts.context.cause[run.cause]}</span>
        </span>
        {since && <span className="shrink-0 rounded-sm bg-side px-1 text-small text-soft">{texts.context.since[since]}</span>}
        <RelativeTime time={run.started_at ?? run.queued_at} className="shrink-0 text-small text-soft" />
      </span>
      <span className="truncate ps-4 text-small text-soft">{facts.join(' · ')}</span>
    </Link>
  )
}
