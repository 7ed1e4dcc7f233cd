import { texts, useHearth, useSelect } from '@/core'
import { Button } from '@/ui'
import { ask, useMissed, useWay } from './wish'

/** NoticeOffer is one line, in a browser that was not asked yet: when something has happened that Hearth could have told of. */
export function NoticeOffer() {
  const hearth = useHearth()
  const way = useWay()
  const missed = useMissed()
  const declined = useSelect((s) => s.preferences.notifyDeclined)
  if (way !== 'ask' || !missed || declined) return null
  return (
    <div role="status" className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-line bg-side px-4 py-1">
      <span>{texts.notify.offer}</span>
      <Button size="sm" onClick={() => void ask()}>
        {texts.notify.allow}
      </Button>
      <Button size="sm" tone="quiet" onClick={() => hearth.store.dispatch({ type: 'preferences', preferences: { notifyDeclined: true } })}>
        {texts.notify.notNow}
      </Button>
    </div>
  )
}
