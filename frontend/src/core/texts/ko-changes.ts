import type { Widen } from './catalogue'
import type { changes as English } from './en-changes'
import { josa } from './josa'
import { pluralIn } from './plural'

const plural = pluralIn('ko')

const deed: Record<Parameters<(typeof English)['changes']['deed']>[0], string> = {
  restore: '이전 내용으로 돌아갑니다', remove: '삭제됩니다. 에이전트가 만든 파일입니다', create: '다시 만들어집니다',
}

const deedBack: typeof deed = {
  restore: '에이전트가 쓴 내용이 다시 적용됩니다', remove: '다시 삭제됩니다', create: '에이전트가 만든 대로 다시 만들어집니다',
}

const reason: Record<Parameters<(typeof English)['changes']['reason']>[0], string> = {
  done: '이미 그렇게 되어 있습니다',
  changed: '그 뒤에 바뀌었습니다',
  gone: '더 이상 없습니다',
  mixed: '에이전트가 일하는 동안 다른 것이 함께 바꾸었습니다',
  not_kept: '너무 크거나 오래되어 내용이 남아 있지 않습니다',
  fault: '쓸 수 없습니다',
}

/** 답이 바꾼 파일, 그리고 되돌리기. */
export const changes = {
  changes: {
    title: '바뀐 파일',
    sum: (files: number) => plural(files, { other: '파일 #개 변경' }),
    lines: (added: string, removed: string) => `+${added} −${removed}`,
    linesSaid: (added: string, removed: string) => `${added}줄 추가, ${removed}줄 삭제`,
    allUndone: '되돌림',
    someUndone: (n: number) => plural(n, { other: '#개 되돌림' }),
    hint: '변경 보기',
    bash: '에이전트의 명령이 바꾼 파일은 여기서 알 수 없습니다.',
    loading: '변경을 불러오는 중',
    made: '새 파일',
    outside: '작업 폴더 밖',
    undone: '되돌림',
    binary: '텍스트가 아니어서 보여 줄 줄이 없습니다.',
    large: '1 MB가 넘는 파일은 내용을 보관하지 않아 보여 주거나 되돌릴 수 없습니다.',
    tooOld: '오래된 변경입니다. 파일에 있던 내용이 더 이상 남아 있지 않습니다.',
    mixed: '에이전트가 일하는 동안 명령이나 사용자, 다른 에이전트가 이 파일을 함께 바꾸었습니다. 아래 줄에는 그것도 들어 있습니다.',
    left: (n: number) => plural(n, { other: '#줄은 보이지 않습니다.' }),
    unended: '끝에 줄바꿈 없음',
    cut: (n: number) => plural(n, { other: '… #자 더 있음' }),
    standing: { left: '', before: '이전 그대로', changed: '그 뒤에 바뀜', gone: '더 이상 없음', fault: '볼 수 없음' },
    later: (who: string) => `그 뒤 ${josa(who, '이/가')} 바꿈`,
    ofAgent: '에이전트',
    region: (file: string) => `${file}의 변경`,
    copyPath: (file: string) => `${file}의 경로 복사`,
    open: (file: string) => `${josa(file, '을/를')} 편집기에서 열기`,
    undo: '변경 되돌리기…',
    back: '다시 적용…',
    undoTitle: '이 변경을 되돌립니까?',
    backTitle: '변경을 다시 적용합니까?',
    undoHint: '파일이 이 답 이전의 내용으로 돌아갑니다. 이곳의 에이전트에게는 다음 턴에 알립니다.',
    backHint: '되돌렸던 내용이 파일에 다시 적용됩니다. 이곳의 에이전트에게는 다음 턴에 알립니다.',
    nothing: '되돌릴 것이 없습니다.',
    nothingBack: '다시 적용할 것이 없습니다.',
    look: '파일을 살펴보는 중',
    doing: '바뀌는 파일',
    leaving: '그대로 두는 파일',
    deed: (what, back: boolean) => (back ? deedBack : deed)[what],
    reason: (why) => reason[why],
    fault: (why: string) => `보거나 쓸 수 없습니다(${why})`,
    overwrite: (file: string) => `그래도 ${file} 되돌리기`,
    lost: (added: string, removed: string) => `함께 되돌려지는 것: +${added} −${removed}`,
    lostKept: '지금 내용은 보관되며, 다시 적용하면 돌아옵니다.',
    undoFiles: (n: number) => plural(n, { other: '파일 #개 되돌리기' }),
    backFiles: (n: number) => plural(n, { other: '파일 #개 다시 적용' }),
    undid: (n: number) => plural(n, { other: '파일 #개가 이전 상태로 돌아갔습니다.' }),
    wentBack: (n: number) => plural(n, { other: '파일 #개에 변경을 다시 적용했습니다.' }),
    raced: (file: string, where: string) => `${josa(file, '은/는')} 같은 순간에 바뀌어 그대로 두었습니다${where ? ` (${where})` : ''}.`,
    failed: (file: string, why: string) => `${josa(file, '은/는')} 쓸 수 없습니다(${why}).`,
  },
} satisfies Widen<typeof English>
