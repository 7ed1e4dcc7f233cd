import { useEffect, useRef, useState, type RefObject } from 'react'

/**
 * useDrop takes files that are dropped anywhere in the pane that a form stands in, and says whether some are held above it now.
 * A file that misses would make the browser leave the page for it: that is prevented as well.
 */
export function useDrop(form: RefObject<HTMLElement | null>, onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false)
  const newest = useRef(onFiles)
  useEffect(() => {
    newest.current = onFiles
  })
  useEffect(() => {
    const pane = form.current?.closest<HTMLElement>('main, aside') ?? form.current
    if (!pane) return
    let depth = 0 // leaving an element for one inside it is no leaving
    const has = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent) => {
      if (!has(event)) return
      depth++
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!has(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const hold = (event: DragEvent) => {
      if (!has(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
    }
    const drop = (event: DragEvent) => {
      if (!has(event)) return
      event.preventDefault()
      depth = 0
      setOver(false)
      const files = Array.from(event.dataTransfer?.files ?? [])
      if (files.length > 0) newest.current(files)
    }
    const miss = (event: DragEvent) => has(event) && event.preventDefault()
    pane.addEventListener('dragenter', enter)
    pane.addEventListener('dragleave', leave)
    pane.addEventListener('dragover', hold)
    pane.addEventListener('drop', drop)
    window.addEventListener('dragover', miss)
    window.addEventListener('drop', miss)
    return () => {
      pane.removeEventListener('dragenter', enter)
      pane.removeEventListener('dragleave', leave)
      pane.removeEventListener('dragover', hold)
      pane.removeEventListener('drop', drop)
      window.removeEventListener('dragover', miss)
      window.removeEventListener('drop', miss)
    }
  }, [form])
  return over
}

/** pastedFiles are the files of a paste; none where it is text that brings a picture of itself along, as from a word processor. */
export function pastedFiles(data: DataTransfer): File[] {
  const rich = data.types.includes('text/html') || data.types.includes('text/rtf')
  return rich ? [] : Array.from(data.files)
}
