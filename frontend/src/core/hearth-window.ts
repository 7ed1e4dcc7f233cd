/** What a tray or a dock shows. */
export interface DeskState {
  /** How many messages are to be read. */
  unread: number
  /** What its icon says when it is pointed at. */
  tip: string
  /** `key`: open, mention, quit, or an address. Without a text it is a line between two groups. */
  menu: readonly { text: string; key: string }[]
  /** What the person is told when the window goes out of sight for the first time: a title, and more, where there is a tray and where there is none. */
  hidden: string
  inTray: string
  withoutOne: string
}

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
  /** Tells what a tray or a dock shows of the page while nobody sees it. */
  desk(told: DeskState): Promise<void>
  /** Hears that the person wants to write to an agent, also when they wanted it before there was a page; what it gives ends that. */
  onMention(heard: () => void): () => void
  /** Whether closing the window leaves Hearth going on in the background. */
  goesOn(): Promise<boolean>
  setGoesOn(on: boolean): Promise<void>
  /** Opens an http, https or mailto link in the browser. */
  openExternal(url: string): Promise<void>
}

/** hearthWindow is the window the page is in; undefined in a browser. */
export const hearthWindow = (): HearthWindow | undefined => (globalThis as { hearth?: HearthWindow }).hearth
