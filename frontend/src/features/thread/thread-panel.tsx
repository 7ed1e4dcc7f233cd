import { addressOf, texts, useSelect } from '@/core'
import { Composer } from '@/features/composer'
import { MessageList } from '@/features/messages'

export interface ThreadPanelProps {
  channelId: string
  /** The row that the thread answers. */
  rootId: string
}

/** ThreadPanel is a thread: the row it answers, its rows, and a composer. */
export function ThreadPanel({ channelId, rootId }: ThreadPanelProps) {
  const channel = useSelect((s) => s.channels[channelId])
  const place = { channelId, threadRootId: rootId }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="min-h-0 flex-1">
        <MessageList place={place} />
      </div>
      {!channel?.archived_at && (
        <div className="px-4 pb-4">
          <Composer place={place} where={texts.thread.in(channel ? addressOf(channel) : '')} placeholder={texts.composer.placeholderThread} focus />
        </div>
      )}
    </div>
  )
}
