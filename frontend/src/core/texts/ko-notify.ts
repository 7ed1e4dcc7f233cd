import type { Widen } from './catalogue'
import type { notify as English } from './en-notify'
import { josa } from './josa'
import { pluralIn } from './plural'

const plural = pluralIn('ko')
const agent = (who: string) => (who ? `@${who}` : '에이전트')

export const notify = {
  notify: {
    one: {
      reply: (who: string, place: string) => `${place}에서 ${josa(agent(who), '이/가')} 답했습니다`,
      permission: (who: string, place: string) => `${place}에서 ${josa(agent(who), '이/가')} 묻습니다`,
      failed: (who: string, place: string) => `${place}에서 ${agent(who)}의 턴이 실패했습니다`,
    },
    many: {
      reply: (n: number) => plural(n, { other: '답 #개' }),
      permission: (n: number) => plural(n, { other: '질문 #개' }),
      failed: (n: number) => plural(n, { other: '실패한 턴 #개' }),
    },
    inPlace: (what: string, place: string) => `${place}: ${what}`,
    said: (who: string, text: string) => `@${who}: ${text}`,
    spend: '오늘의 지출 한도에 닿았습니다.',
    title: '알림',
    hint: '다른 곳을 보고 있을 때 알립니다. 채널의 메뉴에서 끌 수 있습니다.',
    kinds: { reply: '나에게 온 답', permission: '에이전트의 질문', failed: '실패한 턴' },
    pause: '모두 일시 중지',
    mute: '알림 끄기',
    offer: '다른 곳을 보는 동안 일이 있었습니다. Hearth가 이런 일을 알려 줄 수 있습니다.',
    allow: '알림 허용',
    notNow: '허용 안 함',
    denied: '이 브라우저가 Hearth의 알림을 막고 있습니다. 브라우저에서 이 주소의 설정을 바꾸세요.',
    none: '이 데스크톱에는 알림을 표시하는 것이 없습니다.',
    allowHint: '이 브라우저에서 허용해야 합니다.',
  },
} satisfies Widen<typeof English>
