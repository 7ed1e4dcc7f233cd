import type { Widen } from './catalogue'
import type { logs as English } from './en-logs'
import { pluralIn } from './plural'

const plural = pluralIn('ko')

/** Hearth의 로그와 문제 신고. */
export const logs = {
  logs: {
    title: 'Hearth의 로그',
    lines: '로그의 줄, 최신이 마지막',
    level: '표시할 줄',
    levels: { debug: '모두', info: '정보 이상', warn: '경고', error: '오류' },
    levelOf: { debug: '디버그', info: '정보', warn: '경고', error: '오류' },
    filter: '로그에서 찾기',
    follow: '따라가기',
    following: '최신 줄을 계속 보여 줍니다.',
    copy: (n: number) => plural(n, { other: '#줄 복사' }),
    older: '이전 줄 보기',
    oldest: '남아 있는 가장 오래된 줄입니다.',
    cut: (n: number) => plural(n, { other: '최근 #줄을 표시합니다.' }),
    count: (n: number) => plural(n, { other: '#줄' }),
    empty: '아직 로그에 쓴 것이 없습니다',
    emptyHint: '문제가 생기거나 Hearth가 시작하고 종료할 때 기록합니다.',
    none: '맞는 줄이 없습니다',
    noneHint: '다른 말로 찾거나 모든 줄을 표시하세요.',
    showAll: '모든 줄 보기',
    noTime: '(시각 없음)',
    gap: '읽는 것보다 빠르게 기록되어, 이 줄과 앞 줄 사이에 빠진 줄이 있습니다.',
  },
  report: {
    title: '문제 신고',
    hint: 'Hearth를 고치는 사람에게 건넬 파일입니다. 메시지, 이름, 토큰, 주소는 들어 있지 않습니다. 먼저 살펴보세요. 여기에 보이는 것이 전부입니다.',
    making: '무엇이 있는지 살펴보는 중입니다. 몇 초 걸립니다.',
    size: (bytes: string) => `${bytes}바이트`,
    save: '신고 파일 저장',
    saveTitle: '신고 파일 저장',
    saved: (path: string) => `저장했습니다: ${path}`,
  },
} satisfies Widen<typeof English>
