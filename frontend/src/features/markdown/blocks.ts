/**
 * splitBlocks cuts a Markdown text where one block surely ends and another begins, so that of a text that is still being written
 * only the last part has to be read anew. Joined with "\n\n" the parts are the text; a list, a fence and what is indented stay whole.
 */
export function splitBlocks(text: string): string[] {
  const parts: string[] = []
  let part: string[] = []
  let fence = ''
  let blank = false
  for (const line of text.split('\n')) {
    const opened = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence) {
      if (opened?.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) fence = ''
    } else {
      // What begins at the margin and is no part of a list is a block of its own.
      const begins = blank && line !== '' && !/^(\s|[-*+>|]|\d+[.)]|\[)/.test(line)
      if (begins && part.length > 0) {
        parts.push(part.slice(0, -1).join('\n'))
        part = []
      }
      if (opened) fence = opened
    }
    blank = line === '' && !fence
    // Two blank lines are as good as one; keeping one makes the parts join to the same text's meaning.
    if (blank && part.at(-1) === '') continue
    part.push(line)
  }
  if (part.length > 0) parts.push(part.join('\n'))
  return parts
}
