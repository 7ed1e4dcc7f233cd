import { pluralIn } from './plural'

const plural = pluralIn('en')

export const logs = {
  logs: {
    title: 'Hearth’s log',
    lines: 'Lines of the log, the newest last',
    level: 'Which lines',
    levels: { debug: 'All', info: 'Info and above', warn: 'Warnings', error: 'Errors' },
    levelOf: { debug: 'debug', info: 'info', warn: 'warning', error: 'error' },
    filter: 'Find in the log',
    follow: 'Follow',
    following: 'The newest line stays in sight.',
    copy: (n: number) => plural(n, { one: 'Copy # line', other: 'Copy # lines' }),
    older: 'Show older lines',
    oldest: 'This is the oldest line that is kept.',
    cut: (n: number) => plural(n, { one: 'The newest # line is shown.', other: 'The newest # lines are shown.' }),
    count: (n: number) => plural(n, { one: '# line', other: '# lines' }),
    empty: 'Nothing was written to the log yet',
    emptyHint: 'Hearth writes down what goes wrong, and when it starts and ends.',
    none: 'No line fits',
    noneHint: 'Look for something else, or show all lines.',
    showAll: 'Show all lines',
    noTime: '(no time)',
    gap: 'Lines between these and the ones before were written faster than they were read.',
  },
  report: {
    title: 'Report a problem',
    hint: 'A file to hand to whoever mends Hearth. It holds no messages, names, tokens or addresses. Look through it first: what stands here is all there is in it.',
    making: 'Looking what is there. This takes some seconds.',
    size: (bytes: string) => `${bytes} bytes`,
    save: 'Save the report',
    saveTitle: 'Save the report',
    saved: (path: string) => `Saved to ${path}`,
  },
} as const
