/** What a window gives to the page that a browser does not: the bridge that the app puts there before the page begins. */
export interface HearthWindow {
  readonly version: string
  /** Asks for a folder: its absolute path, or null when the person thought better of it. */
  chooseFolder(options?: { title?: string; start?: string }): Promise<string | null>
  /** Asks where to, and writes the text there: the absolute path, or null. */
  saveFile(options: { title?: string; name?: string; text: string }): Promise<string | null>
  /** Asks where to, and writes there what Hearth answers to a GET of the path, which begins with /api/ (64 MB at most): the absolute path, or null. */
  saveDownload(options: { title?: string; name?: string; path: string }): Promise<string | null>
  /** Shows a notification; false: nothing on this desktop shows them. One with the same tag takes its place. A click leads to the address. */
  notify(options: { title: string; body: string; tag: string; address: string }): Promise<boolean>
  /** Hears where a click on a notification leads; the function that it gives ends that. */
  onOpen(heard: (address: string) => void): () => void
  /** Opens an http, https or mailto link in the browser. */
  openExternal(url: string): Promise<void>
}

/** hearthWindow is the window the page is in; undefined in a browser. */
export const hearthWindow = (): HearthWindow | undefined => (globalThis as { hearth?: HearthWindow }).hearth
