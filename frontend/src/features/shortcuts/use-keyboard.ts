import { useEffect } from 'react'
import { commandIds, commandTable, fits, isBare, keysOf, useHearth } from '@/core'

/** isWriting says whether keys write something where the focus is. */
function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit', 'range'].includes(target.type)
}

/** What has the keys to itself while it is open. */
const covers = '[role="dialog"][data-state="open"], [role="alertdialog"][data-state="open"], [role="menu"][data-state="open"]'

/** useKeyboard does what the table of commands says, for every key that nothing nearer has dealt with. */
export function useKeyboard(): void {
  const { commands, store } = useHearth()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // 229 is what WebKit says of the key that ends a composition; nothing newer says so.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return
      if (document.querySelector(covers)) return
      const writing = isWriting(event.target)
      const chosen = store.get().preferences.keys
      for (const id of commandIds) {
        if (commandTable[id].inField) continue
        const keys = keysOf(id, chosen).find((k) => fits(event, k))
        if (keys === undefined || (writing && isBare(keys))) continue
        if (!commands.run(id)) continue
        event.preventDefault()
        return
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [commands, store])
}
