/** What can be told to an agent's process from the composer, instead of to the agent. */
export const slashNames = ['fresh', 'stop', 'warm', 'restore'] as const
export type SlashName = (typeof slashNames)[number]

export interface SlashCommand {
  name: SlashName
  /** The agent it is for; empty: none was named. */
  handle: string
}

/** parseSlash reads a text as a command of Hearth's; undefined for any other text, which is a message. The agent may stand before it or behind. */
export function parseSlash(text: string): SlashCommand | undefined {
  const match = /^(?:[@＠]([\p{L}\p{M}\p{Nd}_-]+)\s+)?\/([a-z]+)(?:[ \t]+[@＠]?([\p{L}\p{M}\p{Nd}_-]+))?$/u.exec(text.trim())
  const name = slashNames.find((n) => n === match?.[2])
  if (!name || (match?.[1] && match[3])) return undefined
  return { name, handle: match?.[1] ?? match?.[3] ?? '' }
}

/** What of a command is being typed. Mentions, and the white space behind them, may stand before a name. */
export type SlashTyping = { part: 'name'; before: string; query: string } | { part: 'handle'; name: SlashName; query: string }

/** slashAt finds what of a command the caret stands in; undefined where the text is none. */
export function slashAt(text: string, caret: number): SlashTyping | undefined {
  if (text.slice(caret).trim() !== '') return undefined
  const typed = text.slice(0, caret)
  const first = /^((?:\s*[@＠][\p{L}\p{M}\p{Nd}_-]+\s+)*)\/([^\s/]*)$/u.exec(typed)
  if (first) return { part: 'name', before: first[1] ?? '', query: first[2] ?? '' }
  const match = /^\/([a-z]+)[ \t]+([\p{L}\p{M}\p{Nd}_-]*)$/u.exec(typed)
  const name = slashNames.find((n) => n === match?.[1])
  return name && { part: 'handle', name, query: match?.[2] ?? '' }
}
