import { Link, useParams } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import type { Cache } from '@/api'
import { formatMoney, formatShare, problemOf, selectAgents, texts, useSelector } from '@/core'
import { Button, cx, EmptyState, ErrorNote, Segmented, Skeleton } from '@/ui'
import './cache.css'
import { costOf, costText } from './figures'
import { KeptOut } from './kept-out'
import { Next } from './next'
import { Strategies } from './strategies'
import { Totals, type Period } from './totals'
import { Turns } from './turns'
import { useCache } from './use-cache'
import { keepWide } from './address'

const { cache } = texts

export interface CacheViewProps {
  channelId: string
}

/** CacheView is what a channel's turns read from the cache and cost: turn by turn, what comes next, sums, and how else it could have been told. */
export default function CacheView({ channelId }: CacheViewProps) {
  const agents = useSelector(selectAgents, channelId)
  const [bindingId, setBindingId] = useState('')
  const [period, setPeriod] = useState<Period>('30')
  const newest = useCache(channelId, bindingId, Number(period))
  if (!newest.data) {
    return newest.isError ? (
      <ErrorNote className="m-4" action={<Button size="sm" onClick={() => void newest.refetch()}>{texts.common.tryAgain}</Button>}>{problemOf(newest.error).message}</ErrorNote>
    ) : (
      <Skeleton lines={6} className="p-4" />
    )
  }
  const { data } = newest
  // Those that were removed had turns, too.
  const gone = data.totals.agents.filter((a) => a.removed)
  const all = [
    ...agents.map(({ binding: { id, handle } }) => ({ value: id, text: '@' + handle, handle })),
    ...gone.map(({ binding_id, handle }) => ({ value: binding_id, text: cache.removed(handle), handle })),
  ]
  const whose = all.find((a) => a.value === bindingId)
  const empty = data.turns.length === 0
  if (empty && bindingId === '' && !newest.isPlaceholderData) {
    return <EmptyState icon={<ChartColumn size={24} aria-hidden />} title={cache.none} hint={cache.noneHint(agents[0]?.binding.handle)} />
  }
  return (
    <div className="@container">
      <div className={cx('mx-auto flex max-w-5xl flex-col gap-6 p-4 transition-opacity', newest.isPlaceholderData && 'opacity-60')} aria-busy={newest.isPlaceholderData}>
        {newest.isError && (
          <ErrorNote action={<Button size="sm" onClick={() => void newest.refetch()}>{texts.common.tryAgain}</Button>}>{problemOf(newest.error).message}</ErrorNote>
        )}
        <div className="flex flex-col gap-2">
          <Today data={data} />
          {all.length > 1 && <Segmented label={cache.whose} value={whose?.value ?? ''} onChange={setBindingId} options={[{ value: '', text: cache.all }, ...all]} />}
        </div>
        {empty ? (
          <EmptyState title={cache.noneOf(whose?.handle ?? '')}>
            <Button size="sm" onClick={() => setBindingId('')}>{cache.all}</Button>
          </EmptyState>
        ) : (
          <>
            <div className="flex flex-col gap-3">
              <Turns key={bindingId} channelId={channelId} bindingId={bindingId} newest={data} />
            </div>
            <Next newest={data} />
          </>
        )}
        <Totals totals={data.totals} period={period} onPeriod={setPeriod} />
        <KeptOut saved={data.totals.saved} />
        <Strategies key={bindingId} channelId={channelId} agents={agents} bindingId={bindingId} />
      </div>
    </div>
  )
}

/** Today is what the day has cost so far, and how that stands to the channel's limit. */
function Today({ data: { totals, spending } }: { data: Cache }) {
  const { channel = '' } = useParams({ strict: false })
  const today = totals.days.at(-1)
  const { spend } = texts
  const sum = { cost_usd: spending.spent_usd, unpriced_turns: today?.unpriced_turns ?? 0 }
  const known = costOf(sum) !== undefined
  const money = [costText(sum), formatMoney(spending.limit_usd)] as const
  return (
    <div className="flex flex-col gap-1">
      <p>
        <span className="font-semibold">{cache.today}</span>{' '}
        {!today || today.turns === 0 ? cache.noTurnToday : known ? cache.todaySum(costText(today), today.turns) : cache.todayUnknown(today.turns)}
        {today?.read_ratio !== undefined && ` · ${cache.readOf(formatShare(today.read_ratio))}`}
      </p>
      <p className={cx('text-small', spending.state === 'ok' ? 'text-soft' : 'text-amber')}>
        {spending.limit_usd === 0 ? cache.noLimit : spending.state === 'ok' ? (known ? spend.of(...money) + '.' : cache.spentUnknown(money[1])) : spending.state === 'warned' ? spend.warned(...money) : spend.reached(...money)}{' '}
        <Link to="/c/$channel/settings" params={{ channel }} search={keepWide} className="rounded-sm text-accent underline underline-offset-2">
          {spending.limit_usd === 0 ? cache.setLimit : cache.changeLimit}
        </Link>
      </p>
    </div>
  )
}
