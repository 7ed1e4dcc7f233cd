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
    const { binding: { id, handle }, state: { run_id } } = agent
    // It begins at once: whatever the agent is asked from now on, here or elsewhere, is asked in the new conversation. What is put off
    // is only the end of its Undo.
    let begun: ReturnType<typeof hearth.startFresh> | undefined
    const undone = async () => {
      try {
        await begun
        const { session } = await hearth.undoFresh(id)
        if (hearth.store.get().runs[run_id]?.state === 'stopped') await hearth.retryRun(run_id)
        toast({ message: session ? texts.roster.restoring(handle) : texts.roster.freshUndone(handle), duration: 3000 })
      } catch (error) {
        say(error)
      }
    }
    putOff(hearth, {
      id,
      show: (options) => {
        begun = hearth.startFresh(id)
        const away = toast({ message: createElement(StartsFresh, { agent, begun }), ...options })
        begun.catch((error: unknown) => {
          away()
          say(error)
        })
        return away
      },
      act: async () => {
        await begun?.catch(() => undefined) // said already
      },
      undone,
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
