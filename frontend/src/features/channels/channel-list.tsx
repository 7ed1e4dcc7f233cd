import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Channel } from '@/api'
import { selectListed, texts, useHearth, useSelect, useShortKeys, type CommandId } from '@/core'
import { Button, EmptyState, IconButton, Skeleton } from '@/ui'
import { ArchivedList } from './archived-list'
import { ChannelEntry } from './channel-entry'

export interface ChannelListProps {
  /** The id of the channel that is open. */
  current: string | undefined
  /** Told when the person went to a channel; a list that covers the chat closes then. */
  onGo?: () => void
  /** At the right of its first line. */
  actions?: ReactNode
  /** What stands at its edge: the splitter that sets its width. */
  edge?: ReactNode
}

/** ChannelList leads to the channels and the direct lines, with what is unread and who is at work. */
export function ChannelList({ current, onGo, actions, edge }: ChannelListProps) {
  const hearth = useHearth()
  const { shared, direct } = useSelect(selectListed)
  const loaded = useSelect((s) => s.channelsLoaded)
  const chosen = useSelect((s) => s.preferences.workspace)
  const create = () => {
    onGo?.()
    hearth.commands.run('channel.create')
  }
  return (
    <nav aria-label={texts.app.channels} className="flex h-full min-h-0 min-w-0 flex-1 bg-side">
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex h-11 shrink-0 items-center gap-0.5 pr-2 pl-4">
          <span className="flex-1 truncate font-semibold">{texts.app.name}</span>
          {actions}
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
          {!loaded && <Skeleton lines={5} className="px-2 pt-3" />}
          {loaded && shared.length + direct.length === 0 && (
            <EmptyState title={texts.channels.empty} hint={chosen ? texts.channels.emptyHere : texts.channels.emptyHint}>
              <Button onClick={create}>{texts.channels.create}</Button>
            </EmptyState>
          )}
          {loaded && (
            <>
              <Group title={texts.channels.shared} create="channel.create" channels={shared} current={current} onGo={onGo} />
              <Group title={texts.channels.direct} create="direct.create" channels={direct} current={current} onGo={onGo} />
              <ArchivedList current={current} onGo={onGo} />
            </>
          )}
        </div>
      </div>
      {edge}
    </nav>
  )
}

interface GroupProps {
  title: string
  create: CommandId
  channels: readonly Channel[]
  current: string | undefined
  onGo: (() => void) | undefined
}

function Group({ title, create, channels, current, onGo }: GroupProps) {
  const hearth = useHearth()
  const keysOf = useShortKeys()
  return (
    <section aria-label={title} className="mt-3 first:mt-0">
      <div className="flex h-7 items-center pl-2">
        <h2 className="flex-1 text-small font-medium text-soft">{title}</h2>
        <IconButton
          label={texts.commands.names[create]}
          keys={keysOf(create)}
          size="sm"
          onClick={() => {
            onGo?.()
            hearth.commands.run(create)
          }}
        >
          <Plus size={14} aria-hidden />
        </IconButton>
      </div>
      {channels.length > 0 && (
        <ul className="flex flex-col gap-px">
          {channels.map((channel) => (
            <ChannelEntry key={channel.id} channel={channel} current={channel.id === current} onGo={onGo} />
          ))}
        </ul>
      )}
    </section>
  )
}
