import { hearthWindow } from './hearth-window'

/** How long a text that is being saved stays at its address, in milliseconds. */
const savedWithin = 60_000

/** download lets the browser put what is at an address into its downloads. A window saves files itself: see hearth-window.ts. */
export function download(name: string, address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** saveText writes a text to a file: in a window where the person says, in a browser into its downloads. The path, where that is known. */
export async function saveText(name: string, text: string, type: string): Promise<string | undefined> {
  const here = hearthWindow()
  if (here) return (await here.saveFile({ name, text })) ?? undefined
  const address = URL.createObjectURL(new Blob([text], { type }))
  download(name, address)
  setTimeout(() => URL.revokeObjectURL(address), savedWithin)
  return undefined
}
