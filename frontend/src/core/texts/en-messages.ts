import { pluralIn } from './plural'

const plural = pluralIn('en')

/** What stands in the list of messages: rows, turns of agents, Markdown, threads. A part of the catalogue in en.ts. */
export const messages = {
  messages: {
    list: (channel: string) => `Messages in ${channel}`,
    loadingOlder: 'Loading older messages',
    beginning: (channel: string) => `This is the beginning of #${channel}.`,
    empty: 'Nothing was written here yet',
    emptyHint: (handle: string | undefined) =>
      handle ? `Write @${handle} and what you want to know. It answers here.` : 'Write the first message below.',
    emptyArchived: 'Nothing was written here before it was archived',
    emptyArchivedHint: 'It takes no messages now. Bring it back and it is a channel like any other.',
    standin: (handle: string) => `This agent is a stand-in: it shows how Hearth works, and no model is behind it. Write @${handle} /help to see what it does.`,
    loadingNewer: 'Loading newer messages',
    newSince: (when: string) => `New since ${when}`,
    toNewest: 'Jump to newest',
    newBelow: (n: number, atLeast: boolean) => 'Jump to newest · ' + (atLeast ? `${n}+ new` : `${n} new`),
    sending: 'Sending',
    failed: 'Not sent.',
    sendAgain: 'Send again',
    discard: 'Discard',
    edit: 'Edit',
    editField: 'The text of your message',
    editHint: 'Enter saves, Esc leaves it as it was.',
    edited: 'edited',
    editedAt: (when: string) => `Edited ${when}. Press it to see what it said before.`,
    editToldHint: 'Agents that have read it hear of the change in their next turn. Agents you name only now are not asked.',
    editedTold: 'Changed. Agents that had read it hear of the change in their next turn; nobody was asked anew.',
    earlier: 'What it said before',
    earlierHint: 'What it said before, newest first. Agents were told these.',
    earlierNone: 'No agent had read what it said before, so it was not kept.',
    earlierLoading: 'Loading what it said before',
    delete: 'Delete',
    deleted: 'Deleted by you',
    deletedTold: 'Deleted. Agents that have read it hear of it in their next turn; what they know of it they keep.',
    takeBack: 'Take back',
    takenBack: 'Taken back. No agent has read it.',
    takenBackToDraft: 'Taken back. Its text stands in the field below.',
    showAll: (n: string) => `Show all ${n} characters`,
    showLess: 'Show less',
    said: (who: string, what: string) => `${who}: ${what}`,
    copyLink: 'Copy link',
    copyText: 'Copy text',
    openThread: 'Reply in a thread',
    threadNews: (n: number) => plural(n, { one: '# new', other: '# new' }),
    replies: (n: number) => plural(n, { one: '# reply', other: '# replies' }),
    interim: 'on the way',
    declined: 'declined',
    unasked: 'by itself',
    undone: 'about files',
    command: 'answer to a command',
    noModel: 'no model called, no cost',
    noteHint: {
      interim: 'Said while the turn went on.',
      declined: 'The agent declined to answer, and says why.',
      unasked: 'Nobody asked for this turn: a background task of the agent ended, and it had something to say.',
      undone: 'You took back what an agent changed in files, or put it back. Hearth tells the agents so.',
      command: 'The agent’s client answered the command by itself, or Hearth did in its place. The model said none of it.',
    },
    gone: 'The message at this address is not to be found here. It may have been deleted or taken back; below are the newest.',
    actions: 'Actions of this message',
    agent: 'agent',
    imageBlocked: (alt: string) => (alt ? `Picture: ${alt}` : 'Picture'),
    imageMissing: (path: string) => `The picture ${path} can't be shown. See that it is in the channel's folder, is a picture and has 25 MB at most.`,
    enlarge: (alt: string) => (alt ? `Enlarge: ${alt}` : 'Enlarge the picture'),
    code: 'Code',
    table: 'Table',
    footnotes: 'Footnotes',
  },
  run: {
    queued: 'queued',
    waiting: 'waits for a free place',
    starting: 'starting',
    thinking: 'thinking',
    writing: 'writing',
    asking: 'waits for your answer',
    temperature: { warm: 'warm', cold: 'cold', restored: 'restored' },
    temperatureHint: {
      warm: 'Warm: the process was alive and was sent only what is new.',
      cold: 'Cold: a new process that remembered nothing; it was told what it has to know.',
      restored: 'Restored: a saved session was loaded into a new process.',
    },
    stop: 'Stop',
    takeOut: 'Take out of the queue',
    retry: 'Retry',
    steps: 'steps',
    loadingSteps: 'Loading the steps',
    showSteps: 'Show the steps',
    hideSteps: 'Hide the steps',
    noSteps: 'It used no tools.',
    noStepsYet: 'It has used no tools yet.',
    toolDoing: (name: string, what: string) => (what ? `${name} ${what}` : name),
    did: (tools: readonly { name: string; count: number }[]) => tools.map((t) => didOne(t.name, t.count)).join(' · '),
    input: 'Input',
    output: 'Result',
    failedStep: 'failed',
    deniedStep: 'denied',
    cut: 'cut at 20,000 characters',
    earlierSteps: (n: number) => plural(n, { one: 'Show the step before', other: 'Show the # steps before' }),
    question: 'to the question',
    said: 'said',
    process: 'process',
    task: 'background task',
    subagentSteps: (n: number) => plural(n, { one: '# step of its own', other: '# steps of its own' }),
    going: 'going',
    footer: {
      read: (tokens: string) => `read ${tokens}`,
      wrote: (tokens: string) => `wrote ${tokens}`,
      fresh: (tokens: string) => `new ${tokens}`,
      label: 'What this turn used; opens the run',
      hint: 'Tokens of input: read from the cache, written to it, and neither. Then what it cost, by the client’s own figure.',
    },
    stopped: (handle: string) => `@${handle} was stopped before it answered.`,
    takenOut: (handle: string) => `The question to @${handle} was taken out of the queue.`,
    failed: (handle: string) => `@${handle} could not answer.`,
    unasked: 'by itself',
    unaskedHint: 'Nobody asked for this turn: a background task of the agent ended, and it had something to say.',
    held: 'It has read your message all the same.',
    notHeld: 'It has not read your message.',
    title: (handle: string) => `A turn of @${handle}`,
    state: {
      queued: 'queued', waiting: 'waiting', running: 'running', succeeded: 'answered', declined: 'declined', failed: 'failed', stopped: 'stopped',
    },
    notFound: 'This run is not to be found. It may have been deleted with its channel.',
    took: 'took',
    cost: 'cost',
    costUnknown: 'not known',
    ofAgent: 'the agent',
  },
  thread: {
    title: 'Thread',
    list: 'Messages of the thread',
    replies: (n: number) => plural(n, { one: '# reply', other: '# replies' }),
    noReplies: 'No replies yet',
    in: (channel: string) => `in #${channel}`,
    notFound: 'This thread is not to be found. It may have been deleted with its channel.',
  },
} as const

function didOne(name: string, count: number): string {
  switch (name) {
    case 'Read':
      return plural(count, { one: 'read # file', other: 'read # files' })
    case 'Edit':
    case 'Write':
    case 'NotebookEdit':
      return plural(count, { one: 'edited # file', other: 'edited # files' })
    case 'Bash':
      return plural(count, { one: 'ran # command', other: 'ran # commands' })
    case 'Grep':
    case 'Glob':
      return plural(count, { one: 'searched once', other: 'searched # times' })
    case 'Agent':
    case 'Task':
      return plural(count, { one: '# subagent', other: '# subagents' })
    default:
      return count === 1 ? name : `${name} ×${count}`
  }
}
