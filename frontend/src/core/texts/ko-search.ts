import type { Widen } from './catalogue'
import type { search as English } from './en-search'
import { pluralIn } from './plural'

const plural = pluralIn('ko')

/** 찾기: 채널에서, 모든 곳에서, 그리고 날짜로 이동. */
export const search = {
  search: {
    title: '이 채널에서 찾기',
    placeholder: '이 채널에서 찾기',
    count: (at: number, n: number) => `${n}개 중 ${at}번째`,
    none: '없음',
    previous: '이전 결과',
    next: '다음 결과',
    scope: (n: string) => `스레드를 빼고 찾은 것 중 최근 ${n}개입니다.`,
    whole: '스레드를 뺀 채널 전체에서 찾았습니다.',
    further: '더 이전까지 찾기',
    looking: '더 이전을 찾는 중',
    close: '찾기 닫기',
    everywhere: '모든 곳에서 검색',
  },
  everywhere: {
    title: '모든 곳에서 검색',
    placeholder: '모든 채널과 워크벤치에서 검색',
    clear: '지우기',
    filters: '범위 좁히기',
    archived: '보관된 채널도',
    hints: {
      in: '채널', from: '쓴 이. me는 나', before: '그날보다 이전, 2026-11-01', after: '그날보다 이후', on: '하루, 한 달 2026-11, 한 해', is: 'is:thread는 스레드만',
    },
    completions: '자동 완성',
    days: { month: '이번 달', year: '올해', thread: '스레드만' },
    recent: '최근에 찾은 것',
    start: '찾을 말을 쓰세요',
    startHint: '메시지의 어느 부분이든, 어떤 언어든 두 글자면 됩니다. 따옴표로 묶은 말은 하나로 찾습니다.',
    looking: '찾는 중',
    found: (n: number, atLeast: boolean, channels: number) =>
      plural(channels, { other: '채널 #개' }) + '에서 ' + plural(n, { other: '메시지 #개' }) + (atLeast ? ' 이상' : ''),
    soFar: '최근 것에서는 아직 찾지 못했습니다.',
    none: '찾지 못했습니다',
    noneHint: (archived: boolean) => (archived ? '낱말을 줄이거나 낱말의 일부만 써 보세요.' : '낱말을 줄이거나 낱말의 일부만 쓰거나, 보관된 채널도 찾아보세요.'),
    further: '더 이전 것 보기',
    inThread: '스레드',
    workbench: (channel: string) => `${channel}의 워크벤치`,
    benchMore: '더 있습니다. 모두 보려면 워크벤치를 여세요.',
    line: (n: string) => `${n}번째 줄`,
    move: '선택',
    open: '열기',
    complete: '완성',
    leave: '닫기',
  },
  date: {
    title: '날짜로 이동',
    in: (channel: string) => `${channel}에서 그날의 첫 메시지로 이동합니다. 없으면 그 뒤의 첫 메시지로 이동합니다.`,
    label: '날짜',
    hint: '연, 월, 일 순으로 씁니다: 2026-11-01. 달력에서는 화살표 키로 움직입니다.',
    fault: '날짜가 아닙니다. 2026-11-01처럼 쓰세요.',
    go: '이동',
    today: '오늘',
    yesterday: '어제',
    week: '일주일 전',
    beginning: '처음',
    nothing: (day: string) => `${day}부터는 여기에 쓴 글이 없습니다. 더 이른 날짜를 고르세요.`,
    next: (asked: string, day: string) => `${asked}에는 쓴 글이 없습니다. 그 뒤의 첫 메시지는 ${day}에 있습니다.`,
  },
} satisfies Widen<typeof English>
