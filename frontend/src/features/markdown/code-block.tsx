import { texts } from '@/core'
import { CopyIcon, cx } from '@/ui'
import { useColoured } from './use-coloured'

/** CodeBlock shows code as it is; colours come when they are ready, and not while it is still being written. */
export function CodeBlock({ code, language, settled }: { code: string; language: string; settled: boolean }) {
  return (
    <div className="group/code relative my-2 overflow-hidden rounded-md border border-line bg-side">
      <pre
        // A long line scrolls, so the block has to be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={language || texts.messages.code}
        dir="ltr"
        className="overflow-x-auto px-3 py-2 font-mono text-[0.8125rem] leading-5 -outline-offset-2"
      >
        <code>{isDiff(language) ? <Diff code={code} /> : <Coloured code={code} language={language} settled={settled} />}</code>
      </pre>
      <div className="absolute top-1 right-1 flex items-center gap-1 rounded-md bg-side opacity-0 transition-opacity group-focus-within/code:opacity-100 group-hover/code:opacity-100">
        {language && <span className="pl-2 text-small text-soft">{language}</span>}
        <CopyIcon text={code} label={texts.common.copy} done={texts.common.copied} size={14} />
      </div>
    </div>
  )
}

function Coloured({ code, language, settled }: { code: string; language: string; settled: boolean }) {
  const lines = useColoured(code, language, settled)
  if (!lines) return code
  return lines.map((line, i) => (
    <span key={i}>
      {line.map((token, j) => (
        <span key={j} style={token.color ? { color: token.color } : undefined}>
          {token.content}
        </span>
      ))}
      {'\n'}
    </span>
  ))
}

function Diff({ code }: { code: string }) {
  return code.split('\n').map((line, i) => {
    const added = line.startsWith('+') && !line.startsWith('+++')
    const removed = line.startsWith('-') && !line.startsWith('---')
    return (
      <span
        key={i}
        className={cx(
          '-mx-3 block min-h-5 px-3',
          added && 'bg-green-ground text-green',
          removed && 'bg-red-ground text-red',
          line.startsWith('@@') && 'text-soft',
        )}
      >
        {line}
      </span>
    )
  })
}

const isDiff = (language: string) => /^(diff|patch)$/i.test(language)
