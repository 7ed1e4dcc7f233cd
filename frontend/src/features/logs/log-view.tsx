import { useNavigate, useSearch } from '@tanstack/react-router'
import { FileWarning, Search } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { LogLine } from '@/api'
import { texts, useHearth } from '@/core'
import { Button, CopyButton, EmptyState, ErrorNote, Segmented, Spinner, useSettled } from '@/ui'
import { LogRow } from './log-row'
import { levels, logSearch, longestText } from './search'
import { most, textOf } from './tail'
import { useTail } from './use-tail'

/** How near the end counts as the end, in pixels. */
const near = 8
/** How much stands above the first line, in pixels, about. */
const startMargin = 36

/** How long nobody types before lines are asked for, in milliseconds. */
const typingPause = 150

/** LogView is Hearth's own log, the newest line last, as it is written. The address says which lines. */
export default function LogView() {
  const hearth = useHearth()
  const navigate = useNavigate()
  const { level = 'debug', text = '' } = logSearch(useSearch({ strict: false }))
  const [typed, setTyped] = useState(text)
  const { held, problem, older, fetching } = useTail(level, useSettled(text, typingPause))
  const [follow, setFollow] = useState(true)

  const show = (search: { level?: string; text?: string }) => void navigate({ to: '/logs', search: logSearch({ level, text, ...search }), replace: true })
  // Where the address is changed from outside, the field shows that.
  const [seen, setSeen] = useState(text)
  if (seen !== text) {
    setSeen(text)
    if (typed.trim() !== text) setTyped(text)
  }
  const lines = held?.lines ?? []
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-5 py-2">
        <div className="flex h-8 min-w-40 flex-1 items-center gap-2 rounded-md border border-edge bg-ground px-2 focus-within:border-accent">
          <Search size={14} aria-hidden className="shrink-0 text-soft" />
          <input
            value={typed}
            dir="auto"
            spellCheck={false}
            autoComplete="off"
            maxLength={longestText}
            aria-label={texts.logs.filter}
            placeholder={texts.logs.filter}
            onChange={(event) => {
              setTyped(event.target.value)
              show({ text: event.target.value.trim() })
            }}
            className="min-w-0 flex-1 bg-transparent outline-none"
          />
        </div>
        <Segmented label={texts.logs.level} value={level} options={levels.map((value) => ({ value, text: texts.logs.levels[value] }))} onChange={(value) => show({ level: value })} />
        <div className="flex items-center gap-1">
          <Button size="sm" tone="quiet" aria-pressed={follow} onClick={() => setFollow(!follow)} className="aria-pressed:bg-chosen">
            {texts.logs.follow}
          </Button>
          <CopyButton text={() => lines.map(textOf).join('\n')} done={texts.common.copied}>
            {texts.logs.copy(lines.length)}
          </CopyButton>
          <Button size="sm" icon={<FileWarning size={13} aria-hidden />} onClick={() => hearth.commands.run('report')}>
            {texts.report.title}
          </Button>
        </div>
      </div>
      {problem !== undefined && <ErrorNote className="m-2">{problem}</ErrorNote>}
      {held && lines.length === 0 ? (
        level === 'debug' && text === '' ? (
          <EmptyState title={texts.logs.empty} hint={texts.logs.emptyHint} />
        ) : (
          <EmptyState title={texts.logs.none} hint={texts.logs.noneHint}>
            <Button onClick={() => show({ level: 'debug', text: '' })}>{texts.logs.showAll}</Button>
          </EmptyState>
        )
      ) : (
        held && <Lines lines={held.lines} more={held.more} gap={held.gap} follow={follow} onFollow={setFollow} onOlder={older} fetching={fetching} />
      )}
    </div>
  )
}

interface LinesProps {
  lines: readonly LogLine[]
  more: boolean
  gap: string | undefined
  follow: boolean
  onFollow: (on: boolean) => void
  onOlder: () => void
  fetching: boolean
}

/** Lines draws of the lines what can be seen. */
function Lines({ lines, more, gap, follow, onFollow, onOlder, fetching }: LinesProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const grew = useGrewAtFront(lines)
  const last = lines.at(-1)?.id
  // The last line stays in sight. Its height shows only when it was drawn.
  const stick = () => list.current?.scrollToIndex(lines.length - 1, { align: 'end' })
  useLayoutEffect(() => {
    if (follow) stick()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- when the end is another one
  }, [last, follow])
  // A person who scrolls away from the end stops following; one who comes back to it goes on.
  const moved = useRef(false)
  const onScroll = () => {
    const { current: at } = scroller
    if (!at || !moved.current) return
    const end = at.scrollHeight - at.scrollTop - at.clientHeight <= near
    if (end !== follow) onFollow(end)
  }
  const byPerson = () => void (moved.current = true)
  // To the ends at once: on a long way there, what is measured anew would stop it.
  const onKeyDown = (event: KeyboardEvent) => {
    byPerson()
    if (event.target !== scroller.current || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key !== 'Home' && event.key !== 'End') return
    event.preventDefault()
    onFollow(event.key === 'End')
    // By the list: it may be on its way to the end still.
    if (event.key === 'Home') list.current?.scrollToIndex(0, { align: 'start', offset: -startMargin })
    else stick()
  }
  useEffect(() => {
    moved.current = false
  }, [last, follow])
  const full = lines.length >= most
  return (
    <>
      <div
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={texts.logs.lines}
        dir="ltr"
        onWheel={byPerson}
        onPointerDown={byPerson}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 overflow-auto py-2 font-mono text-small -outline-offset-2 [overflow-anchor:none]"
      >
        <div className="flex min-h-7 items-center gap-3 px-5 pb-1 font-sans text-soft">
          {more && !full ? (
            <Button size="sm" busy={fetching} onClick={onOlder}>
              {texts.logs.older}
            </Button>
          ) : full && more ? (
            texts.logs.cut(most)
          ) : (
            texts.logs.oldest
          )}
        </div>
        <Virtualizer ref={list} scrollRef={scroller} data={lines} shift={grew} startMargin={startMargin} bufferSize={300} onScroll={onScroll} onResize={() => follow && stick()}>
          {(line) => <LogRow key={line.id} line={line} gap={line.id === gap} />}
        </Virtualizer>
      </div>
      <div role="status" className="flex min-h-8 items-center gap-3 border-t border-line px-5 text-small text-soft">
        {fetching && <Spinner className="size-3" />}
        <span className="flex-1">{texts.logs.count(lines.length)}</span>
        {follow && <span>{texts.logs.following}</span>}
      </div>
    </>
  )
}

/** useGrewAtFront says whether the list has just grown at its beginning, or was cut there: then what is seen has to stay. */
function useGrewAtFront(lines: readonly LogLine[]): boolean {
  const [held, setHeld] = useState({ lines, grew: false })
  if (held.lines === lines) return held.grew
  const grew = held.lines[0]?.id !== lines[0]?.id && held.lines.at(-1)?.id === lines.at(-1)?.id
  setHeld({ lines, grew })
  return grew
}
