/** The mention that is being typed: where it begins (the @) and what stands after it. */
export interface Typing {
  start: number
  query: string
}

/** typingAt finds the mention that the caret stands in; undefined where it stands in none. */
export function typingAt(text: string, caret: number): Typing | undefined {
  const match = /(^|[^A-Za-z0-9._%+\-/@])[@＠]([\p{L}\p{M}\p{N}_-]*)$/u.exec(text.slice(0, caret))
  if (!match) return undefined
  const query = match[2] ?? ''
  return { start: caret - query.length - 1, query }
}

/** complete puts a handle in the place of what is being typed, with a space after it. The caret goes behind that. */
export function complete(text: string, caret: number, typing: Typing, handle: string): { text: string; caret: number } {
  const rest = text.slice(caret)
  const inserted = '@' + handle + (rest.startsWith(' ') ? '' : ' ')
  return { text: text.slice(0, typing.start) + inserted + rest, caret: typing.start + handle.length + 2 }
}

/** matching are the handles that fit what is being typed: those that begin with it before those that hold it. */
export function matching<T>(all: readonly T[], handleOf: (one: T) => string, query: string): T[] {
  const q = query.normalize('NFC').toLowerCase()
  const rank = (one: T) => {
    const handle = handleOf(one).toLowerCase()
    return handle.startsWith(q) ? 0 : handle.includes(q) ? 1 : 2
  }
  return all.filter((one) => rank(one) < 2).sort((a, b) => rank(a) - rank(b))
}
