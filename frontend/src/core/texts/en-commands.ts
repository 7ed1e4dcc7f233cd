/** What the page says of the commands of an agent's client. A part of the catalogue in en.ts. */
export const clientCommands = {
  clientCommands: {
    clear: 'Starts the agent fresh, as /fresh does, with Undo. It is not sent to the client.',
    which: (name: string) => `Which agent? Begin with its mention, then /${name}.`,
    mentions: 'Choosing one addresses its agent.',
    one: 'A command is for one agent. Mention only one before it.',
    before: (handle: string, when: string) => `As the client of @${handle} said at its last start, ${when}.`,
    never: (handle: string) => `@${handle} has not been started yet. Its client says which commands it has when it starts: warm it with /warm, or ask it something.`,
    none: (handle: string) => `The client of @${handle} names no commands.`,
    fresh: 'Nothing was sent. The client’s own command would have opened a conversation that Hearth knows nothing of, so the agent was started fresh.',
    noModel: 'none: no model was called',
  },
} as const
