import { Link, Navigate } from '@tanstack/react-router'
import { addressOf, selectChannels, texts, useSelect } from '@/core'
import { EmptyState, Loading } from '@/ui'

/** Home leads to the channel that was open last, or to the first there is. */
export function Home() {
  const { shared, direct } = useSelect(selectChannels)
  const loaded = useSelect((s) => s.channelsLoaded)
  const last = useSelect((s) => s.channels[s.preferences.lastChannel])
  if (!loaded) return <Loading />
  const to = last && !last.archived_at ? last : (shared[0] ?? direct[0])
  if (to) return <Navigate to="/c/$channel" params={{ channel: addressOf(to) }} replace />
  return (
    <div className="grid h-full place-items-center">
      <EmptyState title={texts.channels.empty} hint={texts.channels.emptyHint} />
    </div>
  )
}

export function NotFound() {
  return (
    <div className="grid h-full place-items-center">
      <EmptyState title={texts.app.notFound}>
        <Link to="/" className="rounded-sm text-accent underline underline-offset-2">
          {texts.app.backToChannels}
        </Link>
      </EmptyState>
    </div>
  )
}
