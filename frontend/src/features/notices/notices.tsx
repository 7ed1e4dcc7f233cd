import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { hearthWindow, isWanted, nameOf, noticeOf, Notifier, useHearth, type Looking } from '@/core'
import { show, wayOf } from './desktop'
import { present } from './present'
import { missedOne } from './wish'

/** Notices tells the person of what happens while they look elsewhere. It shows what core decides on, and decides nothing. */
export function Notices({ channelId }: { channelId: string | undefined }) {
  const hearth = useHearth()
  const router = useRouter()
  const shown = useRef(channelId)
  const told = useRef<() => void>(undefined)
  useEffect(() => {
    shown.current = channelId
    told.current?.()
  }, [channelId])
  useEffect(() => {
    const looking = (): Looking => ({ here: document.visibilityState === 'visible' && document.hasFocus(), channelId: shown.current })
    const open = (address: string) => router.history.push(address)
    const notifier = new Notifier({
      show: (it) => {
        if (wayOf() === 'ask') missedOne()
        else void show(it, open)
      },
      isWanted: (notice) => isWanted(hearth.store.get(), notice, looking()),
      placeOf: (id) => {
        const channel = hearth.store.get().channels[id]
        return channel ? nameOf(channel) : ''
      },
    })
    const presence = present(hearth, looking)
    told.current = presence.tell
    let over = false
    const stop = hearth.listen((event, before) => {
      const notice = noticeOf(before, hearth.store.get(), event, looking())
      if (!notice) return
      const show = (may: boolean) => {
        if (may && !over) notifier.add(notice)
      }
      // Where nobody can say, it is shown: twice is better than never.
      hearth.api.mayNotify(hearth.page, { channel_id: notice.channelId, notice: `${notice.kind}/${notice.id}` }).then(show, () => show(true))
    })
    const close = hearthWindow()?.onOpen(open)
    return () => {
      over = true
      presence.stop()
      close?.()
      stop()
      notifier.stop()
    }
  }, [hearth, router])
  return null
}
