export const spend = {
  spend: {
    asks: (handle: string) => `@${handle} waits: the spending limit of today is reached`,
    heard: (handle: string, spent: string, limit: string) => `@${handle} waits for you: ${spent} of ${limit} for today are spent.`,
    of: (spent: string, limit: string) => `${spent} of ${limit} for today`,
    nothingBegun: 'Nothing has begun yet. A higher limit in the channel’s settings lets it go on too.',
    once: 'Answer this one',
    today: 'Ask no more today',
    leave: 'Leave it unanswered',
    warned: (spent: string, limit: string) => `${spent} of this channel’s ${limit} for today are spent. At the limit you are asked before each turn.`,
    reached: (spent: string, limit: string) => `This channel’s limit for today is reached (${spent} of ${limit}). You are asked before each turn.`,
    limit: 'Spending limit a day, in US dollars',
    limitHint: '0 is none. You are warned at 80 %, and asked before each turn from the limit on; a turn that has begun is never cut off.',
    limitWrong: 'Write an amount like 5 or 2.50, from 0.01 to 1,000,000; 0 is no limit.',
  },
} as const
