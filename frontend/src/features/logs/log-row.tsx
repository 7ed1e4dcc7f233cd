import type { LogLine } from '@/api'
import { formatStamp, texts } from '@/core'
import { cx } from '@/ui'

const tones: Record<LogLine['level'], string> = { debug: 'text-soft', info: 'text-soft', warn: 'text-amber', error: 'text-red' }

/** LogRow is one line of the log. What others wrote in it was made visible by the server. */
export function LogRow({ line, gap }: { line: LogLine; gap: boolean }) {
  return (
    <>
      {gap && <p className="bg-amber-ground px-5 py-0.5 font-sans text-amber">{texts.logs.gap}</p>}
      <div className="flex flex-wrap gap-x-4 px-5 py-0.5 hover:bg-hover">
        <span className="w-[19ch] text-soft">{line.at ? <time dateTime={line.at}>{formatStamp(line.at)}</time> : texts.logs.noTime}</span>
        <span className={cx('w-[7ch]', tones[line.level])}>{texts.logs.levelOf[line.level]}</span>
        <span className="min-w-64 flex-1 [overflow-wrap:anywhere] whitespace-pre-wrap">
          <bdi>{line.message}</bdi>
          {line.attributes.map((a, i) => (
            <span key={i}>
              {' '}
              <span className="text-soft">{a.key}=</span>
              <bdi>{a.value}</bdi>
            </span>
          ))}
        </span>
      </div>
    </>
  )
}
