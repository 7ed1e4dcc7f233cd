/** What can be told to an agent's process from the composer, instead of to the agent. */
export const slashNames = ['fresh', 'stop', 'warm', 'restore'] as const
export type SlashName = (typeof slashNames)[number]

export interface SlashCommand {
  name: SlashName
  /** The agent it is for; empty: none was named. */
  handle: string
}

/** parseSlash reads a text as a command; undefined for any other text, which is a message. */
export function parseSlash(text: string): SlashCommand | undefined {
  const match = /^\/([a-z]+)(?:[ \t]+[@＠]?([\p{L}\p{M}\p{Nd}_-]+))?$/u.exec(text.trim())
  const name = slashNames.find((n) => n === match?.[1])
  return name ? { name, handle: match?.[2] ?? '' } : undefined
}

/** What of a command is being typed. */
export type SlashTyping = { part: 'name'; query: string } | { part: 'handle'; name: SlashName; query: string }

/** slashAt finds what of a command the caret stands in; undefined where the text is none. */
export function slashAt(text: string, caret: number): SlashTyping | undefined {
  if (text.slice(caret).trim() !== '') return undefined
  const match = /^\/([a-z]*)(?:([ \t]+)([\p{L}\p{M}\p{Nd}_-]*))?$/u.exec(text.slice(0, caret))
  if (!match) return undefined
  if (match[2] === undefined) return { part: 'name', query: match[1] ?? '' }
  const name = slashNames.find((n) => n === match[1])
  return name && { part: 'handle', name, query: match[3] ?? '' }
}
