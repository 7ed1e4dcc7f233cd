import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { Cache, CacheTurn } from '@/api'
import { formatCount, formatShare, problemOf, texts, whenOf } from '@/core'
import { whyOf } from '@/features/run'
import { Button, cx, ErrorNote, Segmented, useSettled } from '@/ui'
import type { Column } from './columns'
import { barsOf, breakText, costOf, costText, usedOf, type Bar } from './figures'
import { Figure } from './figure'
import { Legend } from './legend'
import { TurnDetail } from './turn-detail'
import { TurnsChart } from './turns-chart'
import { usePage } from './use-cache'
import { keepWide } from './address'

const { figures } = texts.cache
const count = (title: string, key: string, of: (bar: Bar) => number): Column<Bar> => ({ key, title, of, show: (bar) => formatCount(of(bar)) })

const columns: readonly Column<Bar>[] = [
  { key: 'ended_at', title: figures.when, of: (b) => b.turn.ended_at, show: (b) => whenOf(b.turn.ended_at) },
  { key: 'handle', title: figures.agent, of: (b) => b.turn.handle, show: (b) => '@' + b.turn.handle },
  { key: 'temperature', title: figures.temperature, of: (b) => b.turn.temperature, show: (b) => (b.turn.temperature ? texts.run.temperature[b.turn.temperature] : '') },
  count(figures.read, 'cache_read_tokens', (b) => b.read),
  count(figures.written, 'cache_write_tokens', (b) => b.written),
  count(figures.fresh, 'input_tokens', (b) => b.fresh),
  { key: 'read_ratio', title: figures.ratio, of: (b) => b.turn.read_ratio, show: (b) => (b.turn.read_ratio === undefined ? '' : formatShare(b.turn.read_ratio)) },
  count(figures.output, 'output_tokens', (b) => b.turn.main.output_tokens),
  count(figures.subagents, 'subagent_tokens', (b) => usedOf(b.turn.subagents)),
  count(figures.beside, 'beside_tokens', (b) => usedOf(b.turn.beside)),
  { key: 'cost_usd', title: figures.cost, of: (b) => costOf(b.turn), show: (b) => costText(b.turn) },
  { key: 'context_tokens', title: figures.context, of: (b) => b.turn.context_tokens || undefined, show: (b) => (b.turn.context_tokens ? formatCount(b.turn.context_tokens) : '') },
  { key: 'break_cause', title: figures.break, of: (b) => b.turn.break?.cause ?? '', show: (b) => (b.turn.break ? whyOf(b.turn.break) : '') },
  {
    key: 'process_end', title: figures.processEnd, of: (b) => b.turn.break?.evidence.process_end?.how ?? '',
    show: ({ turn }) => (turn.break?.evidence.process_end ? texts.endings[turn.break.evidence.process_end.how] : ''),
  },
  { key: 'missed_tokens', title: figures.missed, of: (b) => b.turn.break?.missed_tokens, show: (b) => (b.turn.break ? formatCount(b.turn.break.missed_tokens) : '') },
  { key: 'model', title: figures.model, of: (b) => b.turn.model },
  { key: 'run_id', title: figures.run, of: (b) => b.turn.run_id },
]

/** How long a turn is chosen before the address names it, in milliseconds: keys go through many. */
const addressAfter = 250

export interface TurnsProps {
  channelId: string
  bindingId: string
  newest: Cache
}

/** Turns is a page of turns, bar by bar, and what there is to know of the chosen one. */
export function Turns({ channelId, bindingId, newest }: TurnsProps) {
  const { channel = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const asked = useSearch({ strict: false }).turn
  // The pages that were turned back, each by the turn it comes before.
  const [cursors, setCursors] = useState<readonly string[]>([])
  const [wanted, setWanted] = useState<{ run?: string; end: 'newest' | 'oldest' }>({ end: 'newest', ...(asked === undefined ? {} : { run: asked }) })
  // The page of the turn that the address names is looked for, from the newest on.
  const [seeking, setSeeking] = useState(asked !== undefined)
  const [shown, setShown] = useState<'all' | 'paid'>('all')
  const before = cursors.at(-1) ?? ''
  const page = usePage(channelId, bindingId, before)
  const { turns, more } = before === '' ? newest : (page.data ?? newest)
  const bars = useMemo(() => barsOf(turns), [turns])
  const known = bars.findIndex((bar) => bar.turn.run_id === wanted.run)
  const chosen = known >= 0 ? known : wanted.end === 'oldest' ? 0 : bars.length - 1
  const bar = bars[chosen]
  const waits = before !== '' && (page.isPlaceholderData || page.isPending)

  if (seeking && !waits) {
    const oldest = turns.at(-1)
    if (known < 0 && more && oldest && !page.isError && turns.some((turn) => turn.run_id > (wanted.run ?? ''))) setCursors([...cursors, oldest.run_id])
    else {
      setSeeking(false)
      if (known < 0 && cursors.length > 0) setCursors([]) // no turn of these is called so
    }
  }
  const named = useSettled(wanted.run, addressAfter)
  useEffect(() => {
    if (named !== asked) void navigate({ to: '.', search: ({ turn: _, ...now }) => (named === undefined ? now : { ...now, turn: named }), replace: true })
    // It is for what is chosen here; an address that changes otherwise is another view.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [named])

  const older = () => {
    const last = turns.at(-1)
    if (!more || !last || waits) return
    setCursors([...cursors, last.run_id])
    setWanted({ end: 'newest' })
  }
  const newer = () => {
    if (cursors.length === 0 || waits) return
    setCursors(cursors.slice(0, -1))
    setWanted({ end: 'oldest' })
  }
  const choose = (run: string | undefined) => run !== undefined && setWanted({ run, end: wanted.end })
  const first = bars[0]
  const last = bars.at(-1)
  const broken = bars.filter((b) => b.turn.break)
  return (
    <>
      <Figure
        title={texts.cache.turns}
        hint={texts.cache.turnsHint}
        columns={columns}
        rows={bars}
        keyOf={(b) => b.turn.run_id}
        chosen={bar?.turn.run_id}
        first={(b, text) => <RunLink channel={channel} turn={b.turn}>{text}</RunLink>}
        name={[channel, 'turns']}
        json={() => turns}
      >
        <div className={cx('flex flex-col gap-2 transition-opacity', (waits || seeking) && 'opacity-50')} aria-busy={waits || seeking}>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <Legend series={['read', 'written', 'fresh', 'ratio', ...(broken.some((b) => !b.turn.break?.quiet) ? (['break'] as const) : []), ...(broken.some((b) => b.turn.break?.quiet) ? (['quiet'] as const) : [])]} />
            <Segmented
              label={texts.cache.bars}
              value={shown}
              onChange={setShown}
              options={[{ value: 'all', text: texts.cache.barsAll }, { value: 'paid', text: texts.cache.barsPaid }]}
            />
          </div>
          <TurnsChart
            label={texts.cache.turns}
            bars={bars}
            paid={shown === 'paid'}
            chosen={chosen}
            onChoose={(i) => choose(bars[i]?.turn.run_id)}
            onBeyond={(step) => (step < 0 ? older() : newer())}
          />
        </div>
      </Figure>
      <div className="flex items-center gap-2">
        <Button size="sm" tone="quiet" disabled={!more || waits} icon={<ChevronLeft size={14} aria-hidden />} onClick={older}>{texts.cache.older}</Button>
        <span className="min-w-0 flex-1 text-center text-small text-soft">{first && last && texts.cache.page(whenOf(first.turn.ended_at), whenOf(last.turn.ended_at))}</span>
        <Button size="sm" tone="quiet" disabled={cursors.length === 0 || waits} onClick={newer}>
          <span className="flex items-center gap-1.5">{texts.cache.newer}<ChevronRight size={14} aria-hidden /></span>
        </Button>
      </div>
      {page.isError && (
        <ErrorNote action={<Button size="sm" onClick={() => void page.refetch()}>{texts.common.tryAgain}</Button>}>{problemOf(page.error).message}</ErrorNote>
      )}
      <section aria-label={texts.cache.breaks} className="text-small">
        <h4 className="font-medium">{texts.cache.breaks}</h4>
        {broken.length === 0 && <p className="text-soft">{texts.cache.breaksNone}</p>}
        <ul className="flex max-h-40 flex-col overflow-y-auto">
          {broken.toReversed().map(({ turn }) => (
            <li key={turn.run_id}>
              <button
                type="button"
                aria-pressed={turn.run_id === bar?.turn.run_id}
                onClick={() => choose(turn.run_id)}
                className="-mx-1 flex w-full items-baseline gap-2 rounded-sm px-1 py-0.5 text-start hover:bg-hover aria-pressed:bg-chosen"
              >
                <span className={cx('min-w-0 flex-1', turn.break?.quiet ? 'text-soft' : 'text-amber')}>
                  <span className="font-medium" dir="auto">@{turn.handle}</span>: {turn.break && breakText(turn.break)}
                </span>
                <span className="shrink-0 text-soft">{whenOf(turn.ended_at)}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      {bar && <TurnDetail turn={bar.turn} />}
    </>
  )
}

function RunLink({ channel, turn, children }: { channel: string; turn: CacheTurn; children: string }) {
  return (
    <Link to="/c/$channel/runs/$run" params={{ channel, run: turn.run_id }} search={keepWide} className="rounded-sm text-accent underline underline-offset-2">
      {children}
    </Link>
  )
}
