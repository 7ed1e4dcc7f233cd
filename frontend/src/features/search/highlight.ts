import { useEffect } from 'react'

const name = 'found'

/** How many places are marked at most. */
const most = 500

/** useHighlight marks a text wherever it can be seen among the messages, without touching what is there. */
export function useHighlight(text: string): void {
  useEffect(() => {
    const list = document.getElementById('messages')
    // Old web views have no such thing: the found row is marked all the same.
    if (!list || text === '' || !('highlights' in CSS)) return
    const sought = text.toLowerCase()
    const mark = () => {
      const ranges: Range[] = []
      const walker = document.createTreeWalker(list, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node && ranges.length < most; node = walker.nextNode()) {
        const here = node.textContent?.toLowerCase() ?? ''
        if (here.length !== node.textContent?.length) continue // its places are not those of the text
        for (let at = here.indexOf(sought); at >= 0; at = here.indexOf(sought, at + sought.length)) {
          const range = new Range()
          range.setStart(node, at)
          range.setEnd(node, at + sought.length)
          ranges.push(range)
        }
      }
      CSS.highlights.set(name, new Highlight(...ranges))
    }
    let frame = 0
    const soon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(mark)
    }
    mark()
    const observer = new MutationObserver(soon)
    observer.observe(list, { childList: true, characterData: true, subtree: true })
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      CSS.highlights.delete(name)
    }
  }, [text])
}
