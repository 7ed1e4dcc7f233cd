import { useNavigate } from '@tanstack/react-router'
import { Menu as MenuIcon, X } from 'lucide-react'
import { texts, useCommand } from '@/core'
import { LogView } from '@/features/logs'
import { IconButton } from '@/ui'
import { useFrame } from './frame-context'

/** LogsPage is Hearth's own log, in the place of a channel. */
export function LogsPage() {
  const { openList } = useFrame()
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/' })
  useCommand('close', close)
  return (
    <main id="messages" tabIndex={-1} className="flex h-full min-h-0 flex-col outline-none">
      <header className="flex h-11 shrink-0 items-center gap-0.5 border-b border-line pr-2 pl-5">
        {openList && (
          <IconButton label={texts.app.showChannels} onClick={openList} className="-ml-3">
            <MenuIcon size={16} aria-hidden />
          </IconButton>
        )}
        <h1 className="min-w-0 flex-1 truncate text-title font-semibold">{texts.logs.title}</h1>
        <IconButton label={texts.app.back} onClick={close}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      <LogView />
    </main>
  )
}
