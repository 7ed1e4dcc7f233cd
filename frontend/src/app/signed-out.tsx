import { texts } from '@/core'
import { Button } from '@/ui'
import icon from './icon.svg'

/** SignedOut says how to get in: the address that Hearth printed is good once, for one browser and one start. */
export function SignedOut({ onRetry }: { onRetry: () => void }) {
  return (
    <main className="grid h-full place-items-center p-6">
      <div className="flex w-full max-w-md flex-col gap-3">
        <img src={icon} alt="" width={40} height={40} />
        <h1 className="text-large font-semibold">{texts.signIn.title}</h1>
        <p className="text-soft">{texts.signIn.body}</p>
        <p>{texts.signIn.run}</p>
        <pre className="rounded-md border border-line bg-side px-3 py-2 font-mono select-all">{texts.signIn.command}</pre>
        <p>{texts.signIn.then}</p>
        <div>
          <Button onClick={onRetry}>{texts.signIn.tryAgain}</Button>
        </div>
      </div>
    </main>
  )
}
