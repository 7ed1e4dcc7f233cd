import { useState } from 'react'
import { hearthWindow, texts } from '@/core'
import { Button } from '@/ui'

/** detailsOf is what helps whoever mends it: what broke, where, and in which Hearth. It holds nothing that was written. */
export function detailsOf(error: unknown, stack?: string): string {
  const lines = error instanceof Error ? [`${error.name}: ${error.message}`, error.stack ?? ''] : [String(error)]
  return [...lines, stack ?? '', location.pathname, hearthWindow()?.version ?? '', navigator.userAgent].filter(Boolean).join('\n')
}

/** Broken stands where a part of the page threw an error. It leans on nothing but the texts: what it stands in may be what broke. */
export function Broken({ error, info }: { error: unknown; info?: { componentStack?: string | null | undefined } | undefined }) {
  const details = detailsOf(error, info?.componentStack ?? undefined)
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(details).then(
      () => setCopied(true),
      () => setCopied(false), // it stands there to be selected
    )
  return (
    <main className="flex h-full flex-col items-center justify-center gap-3 overflow-y-auto p-6">
      <div className="flex w-full max-w-xl flex-col gap-3" role="alert">
        <h1 className="text-large font-semibold">{texts.app.broken}</h1>
        <p className="text-soft">{texts.app.brokenHint}</p>
        {/* Scrolled by keyboard too. */}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <pre tabIndex={0} className="max-h-60 overflow-auto rounded-md border border-line bg-side p-3 font-mono text-small whitespace-pre-wrap">{details}</pre>
        <div className="flex gap-2">
          <Button tone="main" onClick={() => location.reload()}>
            {texts.app.reload}
          </Button>
          {/* A link: what broke may be what leads from one address to another. */}
          <a href="/logs" className="inline-flex h-8 items-center rounded-md border border-edge bg-raised px-3 font-medium hover:bg-hover">
            {texts.app.seeLog}
          </a>
          <Button onClick={() => void copy()}>{copied ? texts.common.copied : texts.app.copyDetails}</Button>
        </div>
      </div>
    </main>
  )
}
