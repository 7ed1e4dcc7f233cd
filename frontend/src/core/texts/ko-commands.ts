import type { Widen } from './catalogue'
import type { clientCommands as English } from './en-commands'
import { josa, type Particle } from './josa'

const at = (handle: string, particle: Particle) => josa(`@${handle}`, particle)

/** 에이전트 클라이언트의 명령. */
export const clientCommands = {
  clientCommands: {
    clear: '/fresh처럼 에이전트를 새로 시작하며 실행 취소할 수 있습니다. 클라이언트에는 보내지 않습니다.',
    which: (name: string) => `에이전트를 정해야 합니다. 멘션으로 시작한 뒤 /${name} 명령을 쓰세요.`,
    mentions: '고르면 그 에이전트를 멘션합니다.',
    one: '명령은 한 에이전트에게만 보낼 수 있습니다. 앞에 하나만 멘션하세요.',
    before: (handle: string, when: string) => `@${handle}의 클라이언트가 마지막으로 시작하며(${when}) 알린 것입니다.`,
    never: (handle: string) => `${at(handle, '은/는')} 아직 시작한 적이 없습니다. 명령은 시작할 때 클라이언트가 알려 줍니다. /warm 명령으로 미리 시작하거나 질문하세요.`,
    none: (handle: string) => `@${handle}의 클라이언트가 알린 명령이 없습니다.`,
    fresh: '보낸 것이 없습니다. 클라이언트의 명령은 Hearth가 모르는 대화를 열기 때문에 에이전트를 새로 시작했습니다.',
    noModel: '없음: 모델을 부르지 않음',
  },
} satisfies Widen<typeof English>
