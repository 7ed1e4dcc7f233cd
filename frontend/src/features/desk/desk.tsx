import { useEffect } from 'react'
import { hearthWindow, useHearth } from '@/core'
import { deskState } from './desk-state'

/** Desk tells the window what to show of the page while nobody sees it, as it changes, and hears that somebody wants to write from there. */
export default function Desk() {
  const hearth = useHearth()
  useEffect(() => {
    const desktop = hearthWindow()
    if (!desktop) return
    let told = ''
    const tell = () => {
      const state = hearth.store.get()
      if (!state.channelsLoaded) return
      const now = deskState(state)
      const text = JSON.stringify(now)
      if (text === told) return
      told = text
      // Where it can't be shown, the window's log says why.
      desktop.desk(now).catch(() => undefined)
    }
    tell()
    const stop = hearth.store.subscribe(tell)
    const close = desktop.onMention(() => hearth.commands.run('mention.quick'))
    return () => {
      stop()
      close()
    }
  }, [hearth])
  return null
}
