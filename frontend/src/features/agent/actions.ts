import { createElement } from 'react'
import type { Agent } from '@/api'
import { problemOf, putOff, texts, undoFor, useHearth, type Hearth } from '@/core'
import { useToast } from '@/ui'
import { StartsFresh } from './starts-fresh'

/** settleFresh does at once what agents still wait with, so that what is asked of them now is not ended by it. */
export async function settleFresh(hearth: Hearth, bindingIds: readonly string[]): Promise<void> {
  const waiting = putOff(hearth)
  await Promise.all(bindingIds.map(async (id) => waiting.get(id)?.()))
}

/** useAgentActions are what a person does to an agent. What went wrong, and what can't be seen, is said in a toast. */
export function useAgentActions() {
  const hearth = useHearth()
  const toast = useToast()
  const say = (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' })

  const startFresh = (agent: Agent) => {
    const { id } = agent.binding
    const waiting = putOff(hearth)
    if (waiting.has(id)) return
    const commit = async () => {
      if (!waiting.delete(id)) return
      taken()
      await hearth.startFresh(id).catch(say)
    }
    waiting.set(id, commit)
    const taken = toast({
      message: createElement(StartsFresh, { agent }),
      duration: undoFor,
      undo: () => waiting.delete(id),
      commit: () => void commit(),
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
