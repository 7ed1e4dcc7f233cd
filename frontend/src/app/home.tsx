import { Link, Navigate } from '@tanstack/react-router'
import { addressOf, selectChannels, texts, useHearth, useSelect } from '@/core'
import type { ReactNode } from 'react'
import { Button, EmptyState, IconButton } from '@/ui'
import { Menu as MenuIcon } from 'lucide-react'
import { useFrame } from './frame-context'

/** Home leads to the channel that was open last, or to the first there is. */
export function Home() {
  const { shared, direct } = useSelect(selectChannels)
  const loaded = useSelect((s) => s.channelsLoaded)
  const last = useSelect((s) => s.channels[s.preferences.lastChannel])
  const hearth = useHearth()
  if (!loaded) return null
  const to = last && !last.archived_at ? last : (shared[0] ?? direct[0])
  if (to) return <Navigate to="/c/$channel" params={{ channel: addressOf(to) }} replace />
  return (
    <Nothing>
      <EmptyState page title={texts.channels.empty} hint={texts.channels.emptyHint}>
        <Button tone="main" onClick={() => hearth.commands.run('channel.create')}>
          {texts.channels.create}
        </Button>
      </EmptyState>
    </Nothing>
  )
}

export function NotFound() {
  return (
    <Nothing>
      <EmptyState page title={texts.app.notFound} hint={texts.app.notFoundHint}>
        <Link to="/" className="rounded-sm text-accent underline underline-offset-2">
          {texts.app.backToChannels}
        </Link>
      </EmptyState>
    </Nothing>
  )
}

/** Nothing is a page without a channel; where the list has no pane, it can be opened from here too. */
export function Nothing({ children }: { children: ReactNode }) {
  const { openList } = useFrame()
  return (
    <main id="messages" tabIndex={-1} className="flex h-full flex-col outline-none">
      <div className="flex h-11 shrink-0 items-center px-2">
        {openList && (
          <IconButton label={texts.app.showChannels} onClick={openList}>
            <MenuIcon size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      <div className="grid flex-1 place-items-center pb-11">{children}</div>
    </main>
  )
}
