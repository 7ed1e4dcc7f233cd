import type { Channel } from '@/api'
import { texts } from '@/core'
import { Button } from '@/ui'
import { useChannelActions } from './actions'

/** ArchivedNote stands where one would write, in a channel that takes no more messages: that it is archived, and the way back. */
export function ArchivedNote({ channel }: { channel: Channel }) {
  const { unarchive } = useChannelActions()
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line px-3 py-2 text-soft">
      <p className="flex-1">{texts.channels.archived}</p>
      <Button size="sm" onClick={() => void unarchive(channel.id)}>
        {texts.channels.unarchive}
      </Button>
    </div>
  )
}
