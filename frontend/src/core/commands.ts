/**
 * What can be done by key, and from the palette. One table says which keys there are (keys.ts: until the person chose others); who
 * can do a thing registers for it as long as it can. The palette, the help and the keyboard all read this, so none of them can promise what another does not do.
 */

/** Where a command stands in the help. */
export type CommandGroup = 'anywhere' | 'moving' | 'message' | 'agent' | 'writing'

export interface CommandSpec {
  group: CommandGroup
  /**
   * Keys that do it, the first of which is shown: `mod+k`, `alt+shift+arrowup`, `t`, `?`. `mod` is ⌘ on a Mac and Ctrl elsewhere.
   * A key without mod or alt does nothing while somebody writes.
   */
  keys: readonly string[]
  /** The field that somebody writes in handles its keys itself (with `pressed`); here it is for the help only. */
  inField?: boolean
  /** The palette leaves it out: it means nothing there. */
  hidden?: boolean
  /** Its keys stay as they are: much of the page goes by them. */
  fixed?: boolean
}

const spec = {
  palette: { group: 'anywhere', keys: ['mod+k'], hidden: true },
  help: { group: 'anywhere', keys: ['?'] },
  preferences: { group: 'anywhere', keys: ['mod+,'] },
  'workbench.settings': { group: 'anywhere', keys: [] },
  'mention.quick': { group: 'anywhere', keys: ['mod+shift+m'] },
  'channel.create': { group: 'anywhere', keys: [] },
  'direct.create': { group: 'anywhere', keys: [] },
  logs: { group: 'anywhere', keys: [] },
  report: { group: 'anywhere', keys: [] },
  'theme.next': { group: 'anywhere', keys: [] },
  close: { group: 'anywhere', keys: ['escape'], hidden: true, fixed: true },

  'channel.previous': { group: 'moving', keys: ['alt+arrowup'] },
  'channel.next': { group: 'moving', keys: ['alt+arrowdown'] },
  'channel.previousUnread': { group: 'moving', keys: ['alt+shift+arrowup'] },
  'channel.nextUnread': { group: 'moving', keys: ['alt+shift+arrowdown'] },
  'search.here': { group: 'moving', keys: ['mod+f'] },
  'search.everywhere': { group: 'moving', keys: ['mod+shift+f'] },
  'go.date': { group: 'moving', keys: [] },
  'go.unread': { group: 'moving', keys: ['u'] },
  'go.back': { group: 'moving', keys: ['mod+['], hidden: true },
  'go.forward': { group: 'moving', keys: ['mod+]'], hidden: true },
  'go.chat': { group: 'moving', keys: ['/'] },
  'detail.roster': { group: 'moving', keys: ['g'] },
  'detail.context': { group: 'moving', keys: ['c'] },
  'detail.cache': { group: 'moving', keys: ['x'] },
  'detail.workbench': { group: 'moving', keys: ['w'] },
  'detail.settings': { group: 'moving', keys: [] },
  'channel.rename': { group: 'moving', keys: [] },
  'channel.archive': { group: 'moving', keys: [] },
  'channel.delete': { group: 'moving', keys: [] },

  'message.previous': { group: 'message', keys: ['arrowup', 'k'], hidden: true, fixed: true },
  'message.next': { group: 'message', keys: ['arrowdown', 'j'], hidden: true, fixed: true },
  'thread.open': { group: 'message', keys: ['t'] },
  'message.edit': { group: 'message', keys: ['e'] },
  'message.copy': { group: 'message', keys: ['y'] },
  'message.link': { group: 'message', keys: ['l'] },

  'agent.settings': { group: 'agent', keys: [], hidden: true, fixed: true },
  'agent.fresh': { group: 'agent', keys: ['f'] },
  'run.stop': { group: 'agent', keys: ['s'] },
  'run.retry': { group: 'agent', keys: ['r'] },
  'permission.allow': { group: 'agent', keys: ['a'] },
  'permission.deny': { group: 'agent', keys: ['d'] },

  'composer.send': { group: 'writing', keys: ['mod+enter'], inField: true, hidden: true, fixed: true },
  'composer.break': { group: 'writing', keys: ['shift+enter'], inField: true, hidden: true, fixed: true },
  'composer.editLast': { group: 'writing', keys: ['mod+arrowup'], inField: true, hidden: true },
} as const satisfies Record<string, CommandSpec>

export type CommandId = keyof typeof spec
export const commandTable: Readonly<Record<CommandId, CommandSpec>> = spec
export const commandIds = Object.keys(spec) as CommandId[]

/**
 * A handler does the command. What it was told (`about`: an agent's or a message's id, where the caller means a certain one) may
 * be undefined. False: it could not, and the handler that registered before it is asked.
 */
export type CommandHandler = (about?: string) => unknown

/** Commands knows who does what at the moment. Of several, the one that registered last goes first. */
export class Commands {
  private readonly handlers = new Map<CommandId, CommandHandler[]>()
  private readonly listeners = new Set<() => void>()
  private here: readonly CommandId[] = []

  /** register offers to do a command until the function that it gives is called. */
  register(id: CommandId, handler: CommandHandler): () => void {
    const all = this.handlers.get(id) ?? []
    this.handlers.set(id, [...all, handler])
    this.changed()
    return () => {
      this.handlers.set(id, (this.handlers.get(id) ?? []).filter((h) => h !== handler))
      this.changed()
    }
  }

  /** run does a command; false when nobody could. */
  run(id: CommandId, about?: string): boolean {
    return (this.handlers.get(id) ?? []).toReversed().some((handler) => handler(about) !== false)
  }

  /** available are the commands that somebody can do now, in the table's order; the same array until that changes. */
  readonly available = (): readonly CommandId[] => this.here

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  private changed(): void {
    const now = commandIds.filter((id) => (this.handlers.get(id)?.length ?? 0) > 0)
    if (now.length === this.here.length && now.every((id, i) => id === this.here[i])) return
    this.here = now
    for (const listener of this.listeners) listener()
  }
}
