import { createElement } from 'react'
import type { Agent } from '@/api'
import { problemOf, texts, useHearth, type Hearth } from '@/core'
import { useToast } from '@/ui'
import { StartsFresh } from './starts-fresh'

/** How long Start fresh can be undone, in milliseconds; nothing is ended before. */
const undoFor = 6000

/** Starts from anew that can still be undone, by binding. */
const pending = new WeakMap<Hearth, Map<string, () => Promise<void>>>()

function pendingOf(hearth: Hearth): Map<string, () => Promise<void>> {
  const held = pending.get(hearth)
  if (held) return held
  const waiting = new Map<string, () => Promise<void>>()
  pending.set(hearth, waiting)
  // Who leaves the page, or loads it anew, has not pressed Undo.
  window.addEventListener('pagehide', () => waiting.forEach((commit) => void commit()))
  return waiting
}

/** settleFresh does at once what agents still wait with, so that what is asked of them now is not ended by it. */
export async function settleFresh(hearth: Hearth, bindingIds: readonly string[]): Promise<void> {
  const waiting = pendingOf(hearth)
  await Promise.all(bindingIds.map(async (id) => waiting.get(id)?.()))
}

/** useAgentActions are what a person does to an agent. What went wrong, and what can't be seen, is said in a toast. */
export function useAgentActions() {
  const hearth = useHearth()
  const toast = useToast()
  const say = (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' })

  const startFresh = (agent: Agent) => {
    const { id } = agent.binding
    const waiting = pendingOf(hearth)
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
