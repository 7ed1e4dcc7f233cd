import { pluralIn } from './plural'

const plural = pluralIn('en')

const rows = (n: number, atLeast: boolean) => (atLeast ? `at least ${plural(n, { one: '# message', other: '# messages' })}` : plural(n, { one: '# message', other: '# messages' }))

/** What the page says of what an agent was sent, and so knows. A part of the catalogue in en.ts. */
export const context = {
  context: {
    title: 'What agents know',
    wide: 'Give it the whole page',
    beside: 'Put it beside the chat',
    knows: (of: {
      handle: string
      /** Messages that the session was shown, was asked by, or wrote. */
      rows: number
      atLeast: boolean
      /** When the newest of them was written. */
      upTo: string
      /** Of the framing; empty: not known. */
      tokens: string
      asked: number
      askedAtLeast: boolean
      fresh: boolean
    }) =>
      `@${of.handle}’s session knows ` +
      [
        of.rows > 0 && `${rows(of.rows, of.atLeast)} of this channel${of.upTo ? ` up to ${of.upTo}` : ''}`,
        of.tokens && `the framing (${of.tokens} tokens)`,
        of.rows === 0 && 'no messages of this channel yet',
      ].filter(Boolean).join(', ') +
      `, and was asked ${of.askedAtLeast ? 'at least ' : ''}${plural(of.asked, { one: 'once', other: '# times' })} ${of.fresh ? 'since Start fresh' : 'since it joined'}.`,
    ready: (handle: string) => `@${handle}’s process is alive and was given the rules. It was told nothing of this channel yet.`,
    begins: (handle: string) => `@${handle}’s session has just begun. It is told now what its turn was sent, and knows it when the turn has ended.`,
    restoring: (handle: string) => `The next process of @${handle} loads its saved session:`,
    gone: (handle: string) =>
      `@${handle} remembers nothing now: it has no process. Its next turn is cold, and is told the rules, what it was asked and answered before, and the newest messages.`,
    goneFresh: (handle: string) => `@${handle} remembers nothing: it was started fresh. Its next turn is told the rules and the newest messages.`,
    never: (handle: string) => `@${handle} knows nothing of this channel: it was not asked yet. Its first turn tells it the rules and the newest messages.`,
    each: (handle: string) => `@${handle} remembers nothing between turns: each turn starts a new process, which is told the rules, what was asked and answered before, and the newest messages.`,
    saved: 'Its session is saved and can be loaded again with Restore.',
    waiting: (n: number, atLeast: boolean) => `${atLeast ? 'At least ' : ''}${plural(n, { one: '# message is', other: '# messages are' })} new to it.`,
    busy: 'A turn is going; what it was sent counts when the turn has ended.',

    turns: 'Turns',
    whose: 'Turns of',
    all: 'All agents',
    older: 'Older turns',
    allShown: 'These are all turns.',
    none: 'No turns yet',
    noneHint: (handle: string | undefined) => `What an agent was sent is shown here, turn by turn. Write ${handle ? `@${handle}` : 'to an agent'} in the chat.`,
    noneOf: (handle: string) => `@${handle} had no turn here yet.`,
    input: (tokens: string) => `${tokens} in`,
    cause: { mention: 'mentioned', direct: 'direct line', agent: 'called by an agent', retry: 'asked again', unasked: 'by itself' },

    since: { edited: 'edited since', deleted: 'deleted since' },

    view: 'How it is shown',
    views: { blocks: 'Blocks', changes: 'Difference to the turn before', raw: 'As sent' },
    steps: 'Steps and figures',
    question: 'To the question',
    openContext: 'Open in Context',
    sentTitle: 'What it was sent',
    sentOf: (tokens: string, n: number) => `${tokens} tokens in ${plural(n, { one: '# block', other: '# blocks' })} were sent.`,
    whole: (tokens: string) => `The model’s first request was ${tokens} tokens, by the client’s count.`,
    tokensHint: 'Tokens of blocks are Hearth’s own count (cl100k_base), about right for other models; ~ is from what the client reports.',
    nothing: {
      queued: 'Nothing was sent yet: it waits in the queue.',
      waiting: 'Nothing was sent yet: it waits for a free place.',
      unasked: 'Nothing was sent: nobody asked. A background task of the session ended, and it had something to say.',
      out: 'Nothing was sent: it was taken out of the queue.',
      other: 'What was sent is not stored for this turn.',
    },

    stack: 'What the session held in this turn',
    kinds: {
      framing: 'Framing', replay: 'Replay', payload: 'Message', brief: 'Brief', reminder: 'Reminder', rows: 'New messages', index: 'Workbench index', command: 'Command',
      earlier: 'Earlier turns', client: 'The client’s own',
    },
    had: 'had already',
    hadHint: 'Hatched: not sent in this turn, the session had it.',
    scaled: (name: string) => `“${name}” is drawn smaller than it is.`,
    tokens: (n: string) => `${n} tokens`,
    about: (n: string) => `about ${n} tokens`,
    characters: (n: number) => plural(n, { one: '# character', other: '# characters' }),
    why: {
      framing: 'The rules. They are added to the client’s own prompt when a process starts, and this turn started one.',
      framingHad: 'The rules. They went in when this process started, with an earlier turn.',
      replay: 'What it was asked and answered here since Start fresh. Sent because the process remembers nothing.',
      payload: 'The message this turn is about, with the ids that belong to it.',
      brief: 'The house rules. This agent is told them in every turn.',
      reminder: 'One line that reminds of the rules, the same in every turn.',
      rowsNew: 'What was written here since the session last heard of this place.',
      rowsFirst: 'The newest messages here. The session had been told none of this place.',
      index: 'What changed in the workbench since the session was last told of it.',
      command: 'A command of the client’s own. It works only when nothing stands before it, so nothing else was sent; what is new comes with the next turn.',
      earlier: (turns: string) => `${turns} with all that was done in them, and the client’s own prompt and tools. Taken from what the client reports of the first request, less what is shown here; so it is about right.`,
      client: 'The client’s own prompt and the descriptions of its tools. Not sent by Hearth: what the client reports of the first request, less the blocks shown here.',
    },
    earlierTurns: (n: number, atLeast: boolean) => `${atLeast ? 'At least ' : ''}${plural(n, { one: '# earlier turn', other: '# earlier turns' })}`,
    earlierUnknown: 'Earlier turns',
    absentTitle: 'Not sent, and why',
    absent: {
      framing: 'the process was given the rules when it started.',
      replayKnows: 'the session remembers what it was asked and answered.',
      replayNone: 'nothing was asked and answered here since Start fresh.',
      brief: 'the rules stand in the framing; a line reminds of them.',
      reminder: 'the brief itself is repeated in every turn.',
      rows: 'nothing was written that the session had not been told.',
      index: 'there is nothing about the workbench that it had not been told.',
    },
    text: (kind: string) => `Text of ${kind}`,
    copyBlock: 'Copy this block',
    copyAll: 'Copy it all',
    rawFraming: 'Given to the process when it started',
    rawTurn: 'The turn',

    rows: 'Messages that were considered',
    rowsNone: 'No messages were considered.',
    rowsCount: (n: number) => plural(n, { one: '# message was looked at', other: '# messages were looked at' }),
    verdicts: {
      addressed: 'Asked by this', shown: 'Shown', cut: 'Shown, cut', replayed: 'In the replay', held: 'Held', 'beyond limit': 'Beyond the limit', own: 'Its own', seen: 'Already told', deleted: 'Deleted', current: 'Told as it is now',
    },
    reasons: {
      addressed: 'The message this turn answers: it stands in the message block.',
      shown: 'New to the session, and shown whole.',
      cut: 'New to the session, and too long: its beginning was shown, and that there is more.',
      replayed: 'The replay carries it.',
      held: 'A message that still waits in the agent’s queue; its own turn brings it.',
      'beyond limit': 'New to the session, but not among the newest that have room: counted in one line, not shown.',
      own: 'The session wrote it itself.',
      seen: 'The session was told it in an earlier turn.',
      deleted: 'You deleted it before this turn, so what it said is not told.',
      current: 'The message was edited or deleted; the session had not been told the old text, or gets the new one with it.',
    },
    cutBy: (n: string) => `${n} characters left out`,
    correction: 'its change',
    rowGone: 'This message is not here any more.',
    omitted: (n: number) => plural(n, { one: '# more message was named, not shown', other: '# messages were named, not shown' }),
    omittedBy: (n: number, who: string) => `${n} by ${who}`,
    omittedHint: 'The agent was told how many, by whom, and where the history has them.',
    omittedGo: 'Where they end',

    mark: 'What the session had been told',
    markHint: 'The watermark: what this session has been told of this place.',
    before: 'Before',
    after: 'After',
    markNone: 'nothing of this place',
    markOther: 'nothing: what was kept belongs to another session',
    markUpTo: (when: string) => `told or named up to ${when}`,
    markIds: (n: string) => `${n} messages kept by their ids`,
    markMost: 'A watermark keeps the newest 200.',
    pending: 'This holds once the turn has ended well.',
    dropped: 'It was thrown away: the turn failed, and nothing proves that it arrived. The next turn tells it again.',
    kept: 'The turn failed, but the session holds its message; so it was kept.',

    savings: 'Kept out of its context',
    savingsSum: (tokens: string) => `about ${tokens} tokens`,
    saving: {
      spill: 'Long output went into a file', denial: 'Left to a worker', glance: 'Looked by itself', index: 'Index told by what changed', isolated: 'A worker got its own worktree',
    },
    savingSize: (chars: string, lines: number) => `${chars} characters in ${plural(lines, { one: '# line', other: '# lines' })}`,
    savingFault: (why: string) => `It should have gone into a file, and did not: ${why}`,
    savingWorker: 'by a worker',

    against: (when: string) => `Against the turn of ${when}.`,
    passed: 'One in between was sent nothing.',
    againstOtherSession: 'That turn was of another session.',
    noBefore: 'There is no turn before this one to compare with.',
    same: 'the same',
    changed: 'changed',
    added: 'was not sent before',
    removed: 'not sent this time',
    more: (n: string) => `+${n}`,
    less: (n: string) => `−${n}`,
    addedText: 'added',
    removedText: 'removed',
    tooLong: 'Too long to compare; the old text, then the new.',
    notFound: 'This turn is not to be found. It may have been taken back, or deleted with its channel.',
  },
} as const
