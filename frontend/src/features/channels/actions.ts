import { useNavigate, useRouter } from '@tanstack/react-router'
import type { Channel } from '@/api'
import { addressOf, channelAt, nameOf, problemOf, texts, useHearth } from '@/core'
import { useToast } from '@/ui'

/** useChannelActions are what is done to a channel with one press; what went wrong is said in a toast. */
export function useChannelActions() {
  const hearth = useHearth()
  const toast = useToast()
  const router = useRouter()
  const navigate = useNavigate()
  const say = (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' })
  /** Whether the address names this channel at the moment. */
  const isOpen = (id: string) => {
    const params: { channel?: string } | undefined = router.state.matches.at(-1)?.params
    return params?.channel !== undefined && channelAt(hearth.store.get(), params.channel)?.id === id
  }
  const open = (channel: Channel, replace = false) => navigate({ to: '/c/$channel', params: { channel: addressOf(channel) }, replace })

  const unarchive = async (id: string) => {
    try {
      const channel = await hearth.api.unarchiveChannel(id)
      hearth.store.dispatch({ type: 'channel.loaded', channel })
      await open(channel)
    } catch (error) {
      say(error)
    }
  }
  const archive = async (channel: Channel) => {
    const wasOpen = isOpen(channel.id)
    try {
      hearth.store.dispatch({ type: 'channel.loaded', channel: await hearth.api.archiveChannel(channel.id) })
      if (wasOpen) await navigate({ to: '/' })
      toast({ message: texts.channels.archivedToast(nameOf(channel)), undo: () => void unarchive(channel.id) })
    } catch (error) {
      say(error)
    }
  }
  /** rename gives what is wrong with the name, or nothing. */
  const rename = async (channel: Channel, name: string): Promise<string | undefined> => {
    if (name === '' || name === channel.name) return undefined
    const wasOpen = isOpen(channel.id)
    try {
      const changed = await hearth.api.updateChannel(channel.id, { name })
      hearth.store.dispatch({ type: 'channel.loaded', channel: changed })
      if (wasOpen) await open(changed, true)
      return undefined
    } catch (error) {
      return problemOf(error).message
    }
  }
  const remove = async (channel: Channel) => {
    const wasOpen = isOpen(channel.id)
    await hearth.api.deleteChannel(channel.id)
    // The stream tells it too, and maybe later: whoever is led to the channels must not be led back to this one.
    hearth.store.dispatch({ type: 'channel.gone', channelId: channel.id })
    if (wasOpen) await navigate({ to: '/', replace: true })
    toast({ message: texts.channels.deletedToast(nameOf(channel)) })
  }
  return { archive, unarchive, rename, remove, open }
}
