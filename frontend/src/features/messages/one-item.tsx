import type { Item } from '@/core'
import { RunEnded, RunLive, type RowFocus } from '@/features/run'
import { DayLine } from './lines'
import { MessageRow } from './message-row'
import { PendingRow } from './pending-row'

export interface OneItemProps {
  item: Item
  handles: readonly string[]
  /** How the channel is named in addresses. */
  channel: string
  marked: boolean
  /** It is the one that Tab stops at. */
  chosen: boolean
  inThread: boolean
}

/** OneItem is one thing in the list, whatever kind it is. */
export function OneItem({ item, handles, channel, marked, chosen, inThread }: OneItemProps) {
  const focus: RowFocus = { tabIndex: chosen ? 0 : -1, 'data-key': item.key }
  switch (item.kind) {
    case 'row':
      return (
        <>
          {item.day && <DayLine at={item.row.created_at} />}
          <MessageRow
            row={item.row} run={item.run} head={item.head} handles={handles} channel={channel} marked={marked} inThread={inThread}
            itemKey={item.key} chosen={chosen}
          />
        </>
      )
    case 'pending':
      return <PendingRow post={item.post} head={item.head} handles={handles} focus={focus} />
    case 'live':
      return <RunLive run={item.run} handles={handles} focus={focus} />
    case 'ended':
      return <RunEnded run={item.run} channel={channel} focus={focus} />
  }
}
