import { createElement } from 'react'
import type { Agent } from '@/api'
import { problemOf, putOff, texts, useHearth } from '@/core'
import { useToast } from '@/ui'
import { StartsFresh } from './starts-fresh'

/** useAgentActions are what a person does to an agent. What went wrong, and what can't be seen, is said in a toast. */
export function useAgentActions() {
  const hearth = useHearth()
  const toast = useToast()
  const say = (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' })

  const startFresh = (agent: Agent) => {
    const { id } = agent.binding
    putOff(hearth, {
      id,
      show: (options) => toast({ message: createElement(StartsFresh, { agent }), ...options }),
      act: async () => {
        await hearth.startFresh(id).catch(say)
      },
    })
  }
  const stop = async ({ binding }: Agent) => {
    try {
      const { stopped } = await hearth.api.stopAgent(binding.id)
      toast({ message: stopped ? texts.slash.stopped(binding.handle) : texts.slash.idle(binding.handle), duration: 3000 })
    } catch (error) {
      say(error)
    }
  }
  const warm = async ({ binding }: Agent) => {
    try {
      hearth.store.dispatch({ type: 'agent.loaded', state: await hearth.api.warmAgent(binding.id) })
    } catch (error) {
      say(error)
    }
  }
  const restore = async ({ binding }: Agent) => {
    try {
      await hearth.api.restoreSession(binding.id)
      toast({ message: texts.roster.restoring(binding.handle) })
    } catch (error) {
      say(error)
    }
  }
  return { startFresh, stop, warm, restore }
}
