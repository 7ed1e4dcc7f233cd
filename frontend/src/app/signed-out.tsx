import { useState } from 'react'
import { texts } from '@/core'
import { Button } from '@/ui'
import icon from './icon.svg'

/** SignedOut says how to get in: the address that Hearth gives is good once, for one browser and one start. */
export function SignedOut({ onRetry }: { onRetry: () => void }) {
  const [copied, setCopied] = useState(false)
  const copy = () => navigator.clipboard.writeText(texts.signIn.command).then(() => setCopied(true), () => undefined)
  return (
    <main className="grid h-full place-items-center p-6">
      <div className="flex w-full max-w-md flex-col gap-3">
        <img src={icon} alt="" width={40} height={40} />
        <h1 className="text-large font-semibold">{texts.signIn.title}</h1>
        <p className="text-soft">{texts.signIn.body}</p>
        <p>{texts.signIn.run}</p>
        <div className="flex items-center gap-2 rounded-md border border-line bg-side py-1.5 pr-1.5 pl-3">
          <code className="flex-1 font-mono select-all">{texts.signIn.command}</code>
          <Button size="sm" onClick={() => void copy()}>
            {copied ? texts.common.copied : texts.common.copy}
          </Button>
        </div>
        <p>{texts.signIn.then}</p>
        <div className="mt-1">
          <Button onClick={onRetry}>{texts.signIn.tryAgain}</Button>
        </div>
      </div>
    </main>
  )
}
