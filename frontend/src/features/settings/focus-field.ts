/** How long a page may take to show a field, in milliseconds: a part of it may have to be fetched first. */
const patience = 5000

/** For how many frames the focus is held: a dialog that opens or closes moves it a moment later. */
const hold = 6

/** focusField puts the focus into the field with this label, inside `root()`, as soon as it is there. What the person does meanwhile ends it. */
export function focusField(label: string, root: () => Element | null): void {
  const until = performance.now() + patience
  let held = 0
  const theirs = new AbortController()
  for (const deed of ['keydown', 'pointerdown']) window.addEventListener(deed, () => theirs.abort(), { capture: true, signal: theirs.signal })
  const look = () => {
    if (theirs.signal.aborted) return
    const control = controlOf(label, root())
    if (control && document.activeElement !== control) {
      control.focus()
    }
    if (control) held++
    if (held < hold && performance.now() < until) requestAnimationFrame(look)
    else theirs.abort()
  }
  requestAnimationFrame(look)
}

function controlOf(label: string, root: Element | null): HTMLElement | undefined {
  const named = [...(root?.querySelectorAll<HTMLElement>('label, legend') ?? [])].find((element) => element.textContent.trim() === label)
  if (named instanceof HTMLLabelElement) return named.control ?? undefined
  const fields = named?.closest('fieldset')
  return fields?.querySelector<HTMLElement>('input:checked') ?? fields?.querySelector<HTMLElement>('input, select, textarea') ?? undefined
}
