import { useEffect } from 'react'
import { addressOf, texts, useHearth, useSelect } from '@/core'
import { ArchivedNote } from '@/features/channels'
import { Composer } from '@/features/composer'
import { MessageList } from '@/features/messages'

export interface ThreadPanelProps {
  channelId: string
  /** The row that the thread answers. */
  rootId: string
  /** The row to show instead of the newest. */
  target?: string | undefined
}

/** ThreadPanel is a thread: the row it answers, its rows, and a composer. When it is closed the focus goes back to that row. */
export function ThreadPanel({ channelId, rootId, target }: ThreadPanelProps) {
  const hearth = useHearth()
  const channel = useSelect((s) => s.channels[channelId])
  const address = channel ? addressOf(channel) : channelId
  const place = { channelId, threadRootId: rootId }

  useEffect(
    () => () => {
      // After the panel is gone: whoever was in it would be nowhere.
      setTimeout(() => {
        if (document.activeElement !== document.body && document.activeElement !== null) return
        const row = document.querySelector<HTMLElement>(`main [data-row="${CSS.escape(rootId)}"]`)
        if (row) row.focus()
        else hearth.commands.run('go.chat')
      })
      hearth.store.dispatch({ type: 'thread.seen', rootId })
    },
    [hearth, rootId],
  )

  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="min-h-0 flex-1">
        <MessageList place={place} target={target} />
      </div>
      <div className="px-4 pb-4">
        {channel?.archived_at ? (
          <ArchivedNote channel={channel} />
        ) : (
          <Composer place={place} where={texts.thread.in(address)} placeholder={texts.composer.placeholderThread} focus />
        )}
      </div>
    </div>
  )
}
