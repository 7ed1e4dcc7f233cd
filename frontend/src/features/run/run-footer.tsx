import { Link } from '@tanstack/react-router'
import type { Run } from '@/api'
import { texts } from '@/core'
import { Tooltip } from '@/ui'
import { figuresOf } from './figures'

/** RunFooter is the quiet line of figures under a reply; it leads to the run. `channel` is how the channel is named in addresses. */
export function RunFooter({ run, channel }: { run: Run; channel: string }) {
  const parts = figuresOf(run)
  const warmth = run.temperature === '' ? [] : [texts.run.temperature[run.temperature]]
  const words = [...warmth, ...parts]
  if (words.length === 0) return null
  return (
    <Tooltip
      side="bottom"
      content={
        <span className="flex flex-col gap-1">
          {run.temperature !== '' && <span>{texts.run.temperatureHint[run.temperature]}</span>}
          <span className="text-soft">{texts.run.footer.hint}</span>
        </span>
      }
    >
      <Link
        to="/c/$channel/runs/$run"
        params={{ channel, run: run.id }}
        className="-ml-1 inline-flex rounded-sm px-1 text-small text-soft hover:bg-hover hover:text-text"
      >
        {words.join(' · ')}
      </Link>
    </Tooltip>
  )
}
