import type { Widen } from './catalogue'
import type { desk as English } from './en-desk'
import { pluralIn } from './plural'

const plural = pluralIn('ko')

export const desk = {
  desk: {
    title: '창을 닫으면',
    quit: '종료',
    quitHint: 'Hearth가 끝납니다. 에이전트가 일하고 있으면 먼저 묻습니다.',
    goOn: '백그라운드에서 계속',
    goOnHint: '창은 사라지고 에이전트는 계속 일합니다. 트레이 메뉴의 종료, Ctrl+Q, `hearth quit`으로 끝내고, 다시 시작하면 창이 돌아옵니다.',
    goOnHintMac: '다음 시작부터 적용됩니다. ⌘Q로 끝내고, Dock의 아이콘으로 창을 다시 엽니다.',
    unread: (n: number) => plural(n, { other: '읽지 않은 메시지 #개' }),
    nothing: '읽을 것 없음',
    open: 'Hearth 열기',
    channel: (name: string, count: string) => `${name} (${count})`,
    more: (n: number) => plural(n, { other: '채널 #개 더' }),
    mention: '빠른 멘션…',
    end: 'Hearth 종료',
    hidden: 'Hearth가 백그라운드에서 계속합니다',
    inTray: '트레이의 아이콘을 누르면 창이 돌아옵니다. 아이콘 메뉴의 종료나 `hearth quit`으로 끝냅니다.',
    withoutOne: 'Hearth를 다시 시작하면 창이 돌아옵니다. 창에서 Ctrl+Q를 누르거나 `hearth quit`으로 끝냅니다.',
  },
  quick: {
    title: '빠른 멘션',
    to: '받는 에이전트',
    agent: (handle: string, place: string) => `${place}의 @${handle}`,
    message: '메시지',
    send: '보내기',
    sent: (handle: string, place: string) => `${place}의 @${handle}에게 보냈습니다.`,
    nobody: '아직 에이전트가 없습니다',
    nobodyHint: '채널의 참여자 보기에서 추가하세요.',
    tooLong: (n: number) => plural(n, { other: '#자가 넘칩니다. 채널에서 파일로 첨부하세요.' }),
  },
} satisfies Widen<typeof English>
