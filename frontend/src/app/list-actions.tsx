import { Search, Settings2 } from 'lucide-react'
import { texts, useHearth, useShortKeys, type CommandId } from '@/core'
import { IconButton } from '@/ui'

/** ListActions are what the page does as a whole, beside its name: go to anything, and how it looks. */
export function ListActions({ onGo }: { onGo?: () => void }) {
  const hearth = useHearth()
  const keysOf = useShortKeys()
  const run = (id: CommandId) => () => {
    onGo?.()
    hearth.commands.run(id)
  }
  return (
    <>
      <IconButton label={texts.palette.title} keys={keysOf('palette')} onClick={run('palette')}>
        <Search size={16} aria-hidden />
      </IconButton>
      <IconButton label={texts.preferences.title} keys={keysOf('preferences')} onClick={run('preferences')}>
        <Settings2 size={16} aria-hidden />
      </IconButton>
    </>
  )
}
