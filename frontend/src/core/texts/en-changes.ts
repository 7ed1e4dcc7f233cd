import type { Change, ChangeMove } from '@/api'
import { pluralIn } from './plural'

const plural = pluralIn('en')

const standing: Record<Change['standing'], string> = {
  left: '', before: 'as it was before', changed: 'changed since', gone: 'not there any more', fault: 'can’t be looked at',
}

const deed: Record<Exclude<ChangeMove['deed'], 'leave'>, string> = {
  restore: 'gets its old content back', remove: 'is removed: the agent made it', create: 'is made again',
}

const deedBack: typeof deed = {
  restore: 'gets the agent’s content again', remove: 'is removed again', create: 'is made again, as the agent made it',
}

const reason: Record<Exclude<ChangeMove['reason'], ''>, string> = {
  done: 'is so already',
  changed: 'was changed since',
  gone: 'is not there any more',
  mixed: 'was changed by something else too, while the agent worked',
  not_kept: 'is too large, or the change is too old: its content isn’t kept',
  fault: 'can’t be written',
}

/** The files that an answer changed, and taking that back. A part of the catalogue in en.ts. */
export const changes = {
  changes: {
    title: 'Changed files',
    sum: (files: number) => plural(files, { one: '# file changed', other: '# files changed' }),
    lines: (added: string, removed: string) => `+${added} −${removed}`,
    linesSaid: (added: string, removed: string) => `lines added: ${added}, removed: ${removed}`,
    allUndone: 'taken back',
    someUndone: (n: number) => plural(n, { one: '# taken back', other: '# taken back' }),
    hint: 'See the changes',
    bash: 'Files that the agent’s commands changed are not known here.',
    loading: 'Loading the changes',
    made: 'new',
    outside: 'outside of the workspace',
    undone: 'taken back',
    binary: 'It is no text, so there are no lines to show.',
    large: 'Files of more than 1 MB are not kept, so it can’t be shown or taken back.',
    tooOld: 'This change is too old: what was in the file isn’t kept any more.',
    mixed: 'Something else changed this file too while the agent worked: a command, you, or another agent. The lines below hold that as well.',
    left: (n: number) => plural(n, { one: '# more line is not shown.', other: '# more lines are not shown.' }),
    unended: 'no line break at the end',
    cut: (n: number) => plural(n, { one: '… # more character', other: '… # more characters' }),
    standing,
    later: (who: string) => `changed since by ${who}`,
    ofAgent: 'an agent',
    region: (file: string) => `Changes in ${file}`,
    copyPath: (file: string) => `Copy the path of ${file}`,
    open: (file: string) => `Open ${file} in your editor`,
    undo: 'Undo changes…',
    back: 'Put back…',
    undoTitle: 'Undo these changes?',
    backTitle: 'Put the changes back?',
    undoHint: 'The files get the content they had before this answer. The agents here are told in their next turn.',
    backHint: 'The files get the content again that you took back. The agents here are told in their next turn.',
    nothing: 'There is nothing to take back.',
    nothingBack: 'There is nothing to put back.',
    look: 'Looking at the files',
    doing: 'These change',
    leaving: 'These stay as they are',
    deed: (what: Exclude<ChangeMove['deed'], 'leave'>, back: boolean) => (back ? deedBack : deed)[what],
    reason: (why: Exclude<ChangeMove['reason'], ''>) => reason[why],
    fault: (why: string) => why,
    overwrite: (file: string) => `Take ${file} back all the same`,
    lost: (added: string, removed: string) => `What would be taken back with it: +${added} −${removed}`,
    lostKept: 'What stands in it now is kept: Put back brings it back.',
    undoFiles: (n: number) => plural(n, { one: 'Undo # file', other: 'Undo # files' }),
    backFiles: (n: number) => plural(n, { one: 'Put # file back', other: 'Put # files back' }),
    undid: (n: number) => plural(n, { one: '# file is as it was before.', other: '# files are as they were before.' }),
    wentBack: (n: number) => plural(n, { one: '# file is put back.', other: '# files are put back.' }),
    raced: (file: string, where: string) => `${file} was changed in the same moment and stays as it is${where ? `; ${where}` : ''}.`,
    failed: (file: string, why: string) => `${file} ${why}.`,
  },
} as const
