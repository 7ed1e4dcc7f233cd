import type { Widen } from './catalogue'
import type { spend as English } from './en-spend'
import { josa } from './josa'

export const spend = {
  spend: {
    asks: (handle: string) => `${josa(`@${handle}`, '이/가')} 기다립니다: 오늘의 지출 한도에 닿았습니다`,
    heard: (handle: string, spent: string, limit: string) => `${josa(`@${handle}`, '이/가')} 답을 기다립니다: 오늘 한도 ${limit} 중 ${spent} 사용.`,
    of: (spent: string, limit: string) => `오늘 ${limit} 중 ${spent}`,
    nothingBegun: '아직 시작된 것은 없습니다. 채널 설정에서 한도를 올려도 계속됩니다.',
    once: '이번만 답하기',
    today: '오늘은 더 묻지 않기',
    leave: '답하지 않고 두기',
    warned: (spent: string, limit: string) => `이 채널의 오늘 한도 ${limit} 중 ${spent}까지 썼습니다. 한도에 닿으면 턴마다 먼저 묻습니다.`,
    reached: (spent: string, limit: string) => `이 채널의 오늘 한도에 닿았습니다(${limit} 중 ${spent}). 턴마다 먼저 묻습니다.`,
    limit: '하루 지출 한도(미국 달러)',
    limitHint: '0은 한도 없음입니다. 80%에서 알리고, 한도부터는 턴마다 먼저 묻습니다. 시작된 턴은 끊지 않습니다.',
    limitWrong: '5나 2.50처럼 금액을 쓰세요. 0.01에서 1,000,000까지이고, 0은 한도 없음입니다.',
  },
} satisfies Widen<typeof English>
