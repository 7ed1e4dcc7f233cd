import type { Binding, Channel } from '@/api'
import { compareNames } from '@/core'
import { namedIn } from '@/features/mention'

/** An agent that can be written to, and its channel. */
export interface To {
  binding: Binding
  channel: Channel
}

/** everyone is every agent of these channels, by handle; those of the channel that is open come first. */
export function everyone(channels: readonly Channel[], bindings: Readonly<Record<string, Binding>>, here: string | undefined): readonly To[] {
  return channels
    .toSorted((a, b) => Number(b.id === here) - Number(a.id === here))
    .flatMap((channel) =>
      Object.values(bindings)
        .filter((binding) => binding.channel_id === channel.id)
        .sort((a, b) => compareNames(a.handle, b.handle))
        .map((binding) => ({ binding, channel })),
    )
}

/** addressed is a message that asks the agent, whether or not the person has named it in it. */
export function addressed({ binding, channel }: To, text: string): string {
  const body = text.trim()
  return channel.direct || namedIn(body, [binding.handle]).handles.length > 0 ? body : `@${binding.handle} ${body}`
}
