import type { Widen } from './catalogue'
import type { messages as English } from './en-messages'
import { josa, type Particle } from './josa'
import { pluralIn } from './plural'

const plural = pluralIn('ko')
const at = (handle: string, particle: Particle) => josa(`@${handle}`, particle)

/** 메시지 목록에 있는 것: 메시지, 에이전트의 턴, 마크다운, 스레드. */
export const messages = {
  messages: {
    list: (channel: string) => `${channel}의 메시지`,
    loadingOlder: '이전 메시지를 불러오는 중',
    beginning: (channel: string) => `#${channel}의 처음입니다.`,
    empty: '아직 쓴 글이 없습니다',
    emptyHint: (handle: string | undefined) => (handle ? `@${handle} 뒤에 궁금한 것을 쓰세요. 여기에 답합니다.` : '아래에 첫 메시지를 쓰세요.'),
    emptyArchived: '보관하기 전에 쓴 글이 없습니다',
    emptyArchivedHint: '지금은 메시지를 받지 않습니다. 보관을 해제하면 다른 채널과 같아집니다.',
    standin: (handle: string) => `이 에이전트는 대역입니다. 모델 없이 Hearth가 어떻게 움직이는지 보여 줍니다. 할 수 있는 일은 @${handle} /help로 보세요.`,
    loadingNewer: '다음 메시지를 불러오는 중',
    newSince: (when: string) => `${when} 이후 새 메시지`,
    toNewest: '최신으로 이동',
    newBelow: (n: number, atLeast: boolean) => '최신으로 이동 · ' + (atLeast ? `새 메시지 ${n}개 이상` : `새 메시지 ${n}개`),
    sending: '보내는 중',
    failed: '보내지 못했습니다.',
    sendAgain: '다시 보내기',
    discard: '버리기',
    edit: '수정',
    editField: '메시지 글',
    editHint: 'Enter로 저장하고, Esc로 그대로 둡니다.',
    edited: '수정됨',
    editedAt: (when: string) => `${when}에 수정됨. 누르면 수정 전의 글을 봅니다.`,
    editToldHint: '읽은 에이전트는 다음 턴에 바뀐 것을 듣습니다. 이제 와서 부른 에이전트에게는 묻지 않습니다.',
    editedTold: '수정했습니다. 읽은 에이전트는 다음 턴에 바뀐 것을 들으며, 새로 묻지는 않았습니다.',
    earlier: '수정 전의 글',
    earlierHint: '수정 전의 글을 최신순으로 보여 줍니다. 에이전트가 전달받은 글입니다.',
    earlierNone: '수정 전의 글은 읽은 에이전트가 없어 보관하지 않았습니다.',
    earlierLoading: '수정 전의 글을 불러오는 중',
    delete: '삭제',
    deleted: '내가 삭제함',
    deletedTold: '삭제했습니다. 읽은 에이전트는 다음 턴에 삭제된 것을 듣지만, 이미 아는 내용은 그대로 기억합니다.',
    takeBack: '회수',
    takenBack: '회수했습니다. 읽은 에이전트는 없습니다.',
    takenBackToDraft: '회수했습니다. 글은 아래 입력란에 있습니다.',
    showAll: (n: string) => `${n}자 모두 보기`,
    showLess: '접기',
    said: (who: string, what: string) => `${who}: ${what}`,
    copyLink: '링크 복사',
    copyText: '글 복사',
    openThread: '스레드에 답글',
    threadNews: (n: number) => plural(n, { other: '새 답글 #' }),
    replies: (n: number) => plural(n, { other: '답글 #개' }),
    interim: '중간 메시지',
    declined: '거절함',
    unasked: '스스로',
    undone: '파일에 관해',
    command: '명령에 대한 답',
    noModel: '모델을 부르지 않음, 비용 없음',
    noteHint: {
      interim: '턴이 진행되는 동안 한 말입니다.',
      declined: '에이전트가 답하지 않기로 하고 이유를 말합니다.',
      unasked: '아무도 이 턴을 요청하지 않았습니다. 에이전트의 백그라운드 작업이 끝나 할 말이 생겼습니다.',
      undone: '에이전트가 파일에서 바꾼 것을 되돌렸거나 다시 적용했습니다. Hearth가 에이전트에게 알립니다.',
      command: '에이전트의 클라이언트나 Hearth가 명령에 답했습니다. 모델이 한 말이 아닙니다.',
    },
    gone: '이 주소의 메시지를 찾지 못했습니다. 삭제되었거나 회수되었을 수 있습니다. 아래는 최신 메시지입니다.',
    actions: '이 메시지의 작업',
    agent: '에이전트',
    imageBlocked: (alt: string) => (alt ? `그림: ${alt}` : '그림'),
    imageMissing: (path: string) => `그림 ${josa(path, '을/를')} 표시할 수 없습니다. 채널의 폴더에 있는 25 MB 이하의 그림인지 확인하세요.`,
    enlarge: (alt: string) => (alt ? `확대: ${alt}` : '그림 확대'),
    code: '코드',
    table: '표',
    footnotes: '각주',
  },
  run: {
    queued: '대기열에 있음',
    waiting: '빈자리를 기다림',
    starting: '시작하는 중',
    thinking: '생각하는 중',
    writing: '쓰는 중',
    asking: '답을 기다림',
    temperature: { warm: '웜', cold: '콜드', restored: '복원' },
    temperatureHint: {
      warm: '웜: 프로세스가 살아 있어 새로운 것만 보냈습니다.',
      cold: '콜드: 아무것도 기억하지 못하는 새 프로세스라 알아야 할 것을 모두 전했습니다.',
      restored: '복원: 저장된 세션을 새 프로세스에 불러왔습니다.',
    },
    stop: '중지',
    takeOut: '대기열에서 빼기',
    retry: '재시도',
    steps: '단계',
    loadingSteps: '단계를 불러오는 중',
    showSteps: '단계 보기',
    hideSteps: '단계 숨기기',
    noSteps: '도구를 쓰지 않았습니다.',
    noStepsYet: '아직 도구를 쓰지 않았습니다.',
    toolDoing: (name: string, what: string) => (what ? `${name} ${what}` : name),
    did: (tools: readonly { name: string; count: number }[]) => tools.map((t) => didOne(t.name, t.count)).join(' · '),
    input: '입력',
    output: '결과',
    failedStep: '실패',
    deniedStep: '거부됨',
    cut: '20,000자에서 잘림',
    earlierSteps: (n: number) => plural(n, { other: '이전 단계 #개 보기' }),
    question: '질문으로',
    said: '답한 토큰',
    process: '프로세스',
    task: '백그라운드 작업',
    subagentSteps: (n: number) => plural(n, { other: '하위 단계 #개' }),
    going: '진행 중',
    footer: {
      read: (tokens: string) => `읽음 ${tokens}`,
      wrote: (tokens: string) => `씀 ${tokens}`,
      fresh: (tokens: string) => `새로 ${tokens}`,
      label: '이 턴의 사용량. 누르면 실행이 열립니다',
      hint: '입력 토큰입니다. 캐시에서 읽은 것, 캐시에 쓴 것, 어느 쪽도 아닌 것 순입니다. 그다음은 클라이언트가 알려 준 비용입니다.',
    },
    stopped: (handle: string) => `${at(handle, '은/는')} 답하기 전에 중지되었습니다.`,
    takenOut: (handle: string) => `@${handle}에게 한 질문을 대기열에서 뺐습니다.`,
    failed: (handle: string) => `${at(handle, '이/가')} 답하지 못했습니다.`,
    unasked: '스스로',
    unaskedHint: '아무도 이 턴을 요청하지 않았습니다. 에이전트의 백그라운드 작업이 끝나 할 말이 생겼습니다.',
    held: '그래도 메시지는 읽었습니다.',
    notHeld: '메시지를 읽지 못했습니다.',
    title: (handle: string) => `@${handle}의 턴`,
    state: {
      queued: '대기열', waiting: '대기 중', running: '실행 중', succeeded: '답함', declined: '거절함', failed: '실패', stopped: '중지됨',
    },
    notFound: '이 실행을 찾지 못했습니다. 채널과 함께 삭제되었을 수 있습니다.',
    took: '걸린 시간',
    cost: '비용',
    costUnknown: '알 수 없음',
    ofAgent: '에이전트',
  },
  thread: {
    title: '스레드',
    list: '스레드의 메시지',
    replies: (n: number) => plural(n, { other: '답글 #개' }),
    noReplies: '아직 답글이 없습니다',
    in: (channel: string) => `#${channel} 스레드`,
    notFound: '이 스레드를 찾지 못했습니다. 채널과 함께 삭제되었을 수 있습니다.',
  },
} satisfies Widen<typeof English>

function didOne(name: string, count: number): string {
  switch (name) {
    case 'Read':
      return plural(count, { other: '파일 #개 읽음' })
    case 'Edit':
    case 'Write':
    case 'NotebookEdit':
      return plural(count, { other: '파일 #개 수정' })
    case 'Bash':
      return plural(count, { other: '명령 #개 실행' })
    case 'Grep':
    case 'Glob':
      return plural(count, { other: '#번 검색' })
    case 'Agent':
    case 'Task':
      return plural(count, { other: '하위 에이전트 #개' })
    default:
      return count === 1 ? name : `${name} ×${count}`
  }
}
