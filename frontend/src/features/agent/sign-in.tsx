import { CircleAlert, KeyRound } from 'lucide-react'
import { useEffect } from 'react'
import type { Binding } from '@/api'
import { texts, useSelect } from '@/core'
import { Button, CopyButton, cx } from '@/ui'
import { useSetup } from './setup'
import { signedIn } from './signed'

/** For how long a look that found nothing wrong counts, in milliseconds, when the person comes back to the page. */
const goodFor = 5 * 60_000

export interface SignInProps {
  binding: Binding
  /** Says something only where something has to be done. */
  faultOnly?: boolean
  /** When something happened that a look from before it knows nothing of: ISO time. */
  since?: string | undefined
}

/**
 * SignIn is how an agent is signed in and, where it is not, what mends it. It is looked at again on demand, and when the person
 * comes back from where they have mended it.
 */
export default function SignIn({ binding, faultOnly = false, since }: SignInProps) {
  const needs = binding.runtime === 'cli:claude:agent'
  const setup = useSelect((s) => s.setup)
  const { refetch, isFetching, dataUpdatedAt } = useSetup(needs)
  const signed = signedIn(binding, setup)
  const state = signed?.state
  const old = needs && since !== undefined && dataUpdatedAt > 0 && dataUpdatedAt < Date.parse(since)
  useEffect(() => {
    if (old) void refetch({ cancelRefetch: false })
  }, [old, refetch])
  useEffect(() => {
    if (!needs) return
    const again = () => {
      if (state !== 'yes' || Date.now() - dataUpdatedAt > goodFor) void refetch({ cancelRefetch: false })
    }
    window.addEventListener('focus', again)
    return () => window.removeEventListener('focus', again)
  }, [needs, state, dataUpdatedAt, refetch])
  if (!signed) return null
  const fault = signed.state === 'no' || signed.state === 'missing'
  if (faultOnly && !fault) return null
  return (
    <div role="group" aria-label={texts.account.label(binding.handle)} className="flex flex-col gap-1.5 text-small">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <p role={fault ? 'status' : undefined} className={cx('flex min-w-0 flex-1 items-start gap-1.5', fault ? 'text-amber' : 'text-soft')}>
          {fault ? <CircleAlert size={13} aria-hidden className="mt-0.5 shrink-0" /> : <KeyRound size={13} aria-hidden className="mt-0.5 shrink-0" />}
          <span className="min-w-0 [overflow-wrap:anywhere]">{signed.words}</span>
        </p>
        {(fault || signed.state === 'unknown') && (
          <Button size="sm" busy={isFetching} onClick={() => void refetch()}>{texts.welcome.again}</Button>
        )}
      </div>
      {signed.how && <p className="text-soft [overflow-wrap:anywhere]">{signed.how}</p>}
      {signed.command && (
        <div className="flex flex-col gap-1">
          <p className="text-soft">{signed.state === 'missing' ? texts.account.toGet : texts.account.toSignIn}</p>
          <div className="flex items-center gap-1 rounded-md border border-line bg-ground pl-2">
            <code className="min-w-0 flex-1 py-1 font-mono [overflow-wrap:anywhere] select-all" dir="ltr">{signed.command}</code>
            <CopyButton text={signed.command} done={texts.common.copied}>{texts.common.copy}</CopyButton>
          </div>
        </div>
      )}
    </div>
  )
}
