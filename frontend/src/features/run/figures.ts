import type { Permission, Run, Step } from '@/api'
import { formatDuration, formatMoney, formatTokens, texts } from '@/core'

/** A part of what a turn used, and its place in the run's detail. */
export interface Figure {
  part: 'temperature' | 'took' | 'tokens' | 'cost'
  text: string
}

/** figuresOf is what one turn used, each a short word; what is nothing is left out. */
export function figuresOf(run: Run): Figure[] {
  const { usage } = run
  const wrote = wroteOf(run)
  const took = tookOf(run)
  const tokens = [
    usage.cache_read_tokens > 0 && texts.run.footer.read(formatTokens(usage.cache_read_tokens)),
    wrote > 0 && texts.run.footer.wrote(formatTokens(wrote)),
    usage.input_tokens > 0 && texts.run.footer.fresh(formatTokens(usage.input_tokens)),
  ].filter((part) => part !== false)
  const all: Figure[] = [
    { part: 'temperature', text: run.temperature === '' ? '' : texts.run.temperature[run.temperature] },
    { part: 'took', text: took === undefined ? '' : formatDuration(took) },
    { part: 'tokens', text: tokens.join(' / ') },
    { part: 'cost', text: usage.cost_usd > 0 ? formatMoney(usage.cost_usd) : '' },
  ]
  return all.filter(({ text }) => text !== '')
}

/** usedNothing says that a run that has ended used no tokens and cost nothing: no model was called. */
export const usedNothing = ({ usage, ended_at }: Run): boolean =>
  Boolean(ended_at) && usage.cost_usd === 0 && usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_write_5m_tokens + usage.cache_write_1h_tokens === 0

/** wroteOf is how many tokens a run wrote to the cache. */
export const wroteOf = ({ usage }: Run): number => usage.cache_write_5m_tokens + usage.cache_write_1h_tokens

/** tookOf is how long a run took, in milliseconds; undefined when it has not begun or ended. */
export function tookOf(run: Run): number | undefined {
  return run.started_at && run.ended_at ? Date.parse(run.ended_at) - Date.parse(run.started_at) : undefined
}

/**
 * waitingOf are the calls that wait for a person's answer. A question does not name its call: it is the one of that tool, by that
 * thread, with that input; or any of that tool, where the input was cut.
 */
export function waitingOf(steps: readonly Step[], asked: readonly Permission[]): ReadonlySet<Step> {
  const waiting = new Set<Step>()
  for (const { tool, agent_id, input } of asked) {
    const able = steps.filter((step) => step.kind === 'tool' && step.name === tool && isGoing(step) && (step.parent === '') === (agent_id === '') && !waiting.has(step))
    const found = able.find((step) => step.input === JSON.stringify(input)) ?? able[0]
    if (found) waiting.add(found)
  }
  return waiting
}

/** toolsOf counts what the main thread did with tools, in the order of their first use: not what waits to be let through, nor what was not. */
export function toolsOf(steps: readonly Step[], waiting: ReadonlySet<Step>): { name: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const step of steps) {
    if (step.kind !== 'tool' || step.parent !== '' || waiting.has(step) || wasDenied(step)) continue
    const name = shortTool(step.name)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return Array.from(counts, ([name, count]) => ({ name, count }))
}

/** Tools of servers are called mcp__server__tool. */
export const shortTool = (name: string): string => /^mcp__.+?__(.+)$/.exec(name)?.[1] ?? name

/** subjectOf is what a tool call is about, in one line: a command, a path, a pattern. */
export function subjectOf(step: Step): string {
  let input: unknown
  try {
    input = JSON.parse(step.input)
  } catch {
    return ''
  }
  if (typeof input !== 'object' || input === null) return ''
  const fields = input as Record<string, unknown>
  for (const name of ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description', 'prompt', 'body', 'reason']) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return value.split('\n')[0] ?? ''
  }
  return ''
}

/** doingOf is what a run does right now, in a few words. */
export function doingOf(steps: readonly Step[], writing: boolean): string {
  const open = steps.findLast((step) => step.kind === 'tool' && isGoing(step))
  if (open) return texts.run.toolDoing(shortTool(open.name), subjectOf(open))
  return writing ? texts.run.writing : texts.run.thinking
}

/** Words that a refusal is told with, by the client and by what guards its tools. */
const refusal = /\b(denied|refused|declined|not allowed|(does not|doesn['’]t) want to|permission)\b/i

/** wasDenied says whether a call was not let through. The client marks a refusal as any other error; its words tell them apart. */
export function wasDenied(step: Step): boolean {
  return step.kind === 'tool' && step.error && refusal.test(step.output.slice(0, 300))
}

/** isGoing says whether a step of a run that goes on has not ended. */
export const isGoing = (step: Step): boolean => step.took_ms === 0 && step.output === ''
