import { Link, useParams } from '@tanstack/react-router'
import type { AgentDetail, PastLease } from '@/api'
import { formatDuration, formatFull, texts } from '@/core'
import { endingOf } from '@/features/run'
import { RelativeTime } from '@/ui'
import { Part } from './part'

/** AgentPast are an agent's last turns: what its process remembered in each, and what became of the process. */
export function AgentPast({ detail: { leases } }: { detail: AgentDetail }) {
  return (
    <Part title={texts.closely.leases} note={leases.length || undefined}>
      {leases.length === 0 ? (
        <p className="text-small text-soft">{texts.closely.noLeases}</p>
      ) : (
        <ol className="flex flex-col gap-1 text-small">
          {leases.map((lease) => (
            <Lease key={lease.run_id} lease={lease} />
          ))}
        </ol>
      )}
    </Part>
  )
}

function Lease({ lease }: { lease: PastLease }) {
  const { channel = '' } = useParams({ strict: false })
  const end = lease.process_end
  return (
    <li>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span>{lease.temperature ? texts.run.temperature[lease.temperature] : '–'}</span>
        <RelativeTime time={lease.began_at} className="text-soft" />
        <span className="text-soft tabular-nums">{texts.closely.took(formatDuration(Date.parse(lease.ended_at) - Date.parse(lease.began_at)))}</span>
        <Link
          to="/c/$channel/runs/$run"
          params={{ channel, run: lease.run_id }}
          aria-label={texts.closely.openRun(formatFull(lease.began_at))}
          className="rounded-sm text-accent underline underline-offset-2"
        >
          {texts.closely.open}
        </Link>
      </p>
      {end && (
        <p className={end.how === 'crashed' ? 'text-red [overflow-wrap:anywhere]' : 'text-soft [overflow-wrap:anywhere]'}>
          {endingOf(end)}
          {end.at && <> (<RelativeTime time={end.at} />)</>}
        </p>
      )}
    </li>
  )
}
