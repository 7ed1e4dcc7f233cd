import type { Saving, Step } from '@/api'
import { formatCount, texts } from '@/core'

/** What was kept out of an agent's context in a turn, each thing at the step it belongs to. */
export interface Kept {
  of: (step: Step) => readonly Saving[]
  /** Of no step that is shown. */
  rest: readonly Saving[]
  /** About how many tokens all of it comes to. */
  tokens: number
}

const none: readonly Saving[] = []

/** keptOf puts savings to the steps that are shown. */
export function keptOf(savings: readonly Saving[], shown: readonly Step[]): Kept {
  const ids = new Set(shown.map((step) => step.id).filter((id) => id !== ''))
  const byStep = new Map<string, Saving[]>()
  const rest: Saving[] = []
  let tokens = 0
  for (const saving of savings) {
    tokens += saving.tokens
    if (!ids.has(saving.step_id)) rest.push(saving)
    else byStep.set(saving.step_id, [...(byStep.get(saving.step_id) ?? []), saving])
  }
  return { of: (step) => byStep.get(step.id) ?? none, rest, tokens }
}

/** aboutTokens writes an estimate no more exactly than it is: 31,217 as 31,200. Nothing where there are none. */
export function aboutTokens(tokens: number): string {
  if (tokens <= 0) return ''
  return formatCount(tokens < 100 ? tokens : Math.round(tokens / (tokens < 1000 ? 10 : 100)) * (tokens < 1000 ? 10 : 100))
}

/** placeOfSpill is a spilled file's place in its workbench, whichever that is: a file is called by its content. */
export const placeOfSpill = (path: string): string => path.slice(path.lastIndexOf('/spill/') + 1)

/** shortPlace is that place with the long name cut, to be read at a glance. */
export function shortPlace(place: string): string {
  const [, name = '', end = ''] = /([^/]*?)(\.[^./]+)?$/.exec(place) ?? []
  return name.length > 12 ? place.slice(0, place.length - name.length - end.length) + name.slice(0, 8) + '…' + end : place
}

/** remedyOf is what a person can do about output that could not be put into a file. */
export function remedyOf(fault: string): string {
  if (/no space|disk full|quota/i.test(fault)) return texts.economy.kept.faultSpace
  if (/permission denied|read-only|not permitted/i.test(fault)) return texts.economy.kept.faultRights
  return texts.economy.kept.faultOther
}
