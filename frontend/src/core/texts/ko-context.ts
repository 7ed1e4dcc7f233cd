import type { Widen } from './catalogue'
import type { context as English } from './en-context'
import { josa, type Particle } from './josa'
import { pluralIn } from './plural'

const plural = pluralIn('ko')
const at = (handle: string, particle: Particle) => josa(`@${handle}`, particle)
const orMore = (atLeast: boolean) => (atLeast ? ' 이상' : '')

/** 에이전트에게 보낸 것과 그래서 아는 것. */
export const context = {
  context: {
    title: '에이전트가 아는 것',
    wide: '페이지 전체로 보기',
    beside: '대화 옆에 두기',
    knows: (of) =>
      `@${of.handle}의 세션이 아는 것: ` +
      [
        of.rows > 0 && `이 채널의 ${of.upTo ? `${of.upTo}까지의 ` : ''}${plural(of.rows, { other: '메시지 #개' })}${orMore(of.atLeast)}`,
        of.tokens && `프레이밍(${of.tokens} 토큰)`,
        of.rows === 0 && '이 채널의 메시지는 아직 없음',
      ].filter(Boolean).join(', ') +
      `. ${of.fresh ? '새로 시작한' : '참여한'} 뒤로 질문을 ${plural(of.asked, { other: '#번' })}${orMore(of.askedAtLeast)} 받았습니다.`,
    ready: (handle: string) => `@${handle}의 프로세스가 살아 있고 규칙을 받았습니다. 이 채널에 대해서는 아직 들은 것이 없습니다.`,
    begins: (handle: string) => `@${handle}의 세션이 막 시작되었습니다. 턴에 보낸 것을 지금 전달받고 있으며, 턴이 끝나면 알게 됩니다.`,
    restoring: (handle: string) => `@${handle}의 다음 프로세스가 저장된 세션을 불러옵니다:`,
    gone: (handle: string) =>
      `${at(handle, '은/는')} 프로세스가 없어 지금 기억하는 것이 없습니다. 다음 턴은 콜드이며 규칙, 전에 묻고 답한 것, 최근 메시지를 전달받습니다.`,
    goneFresh: (handle: string) => `${at(handle, '은/는')} 새로 시작되어 기억하는 것이 없습니다. 다음 턴에 규칙과 최근 메시지를 전달받습니다.`,
    never: (handle: string) => `${at(handle, '은/는')} 아직 질문을 받지 않아 이 채널을 모릅니다. 첫 턴에 규칙과 최근 메시지를 전달받습니다.`,
    each: (handle: string) =>
      `${at(handle, '은/는')} 턴 사이에 아무것도 기억하지 않습니다. 턴마다 새 프로세스를 시작해 규칙, 묻고 답한 것, 최근 메시지를 전달받습니다.`,
    saved: '세션이 저장되어 있어 복원으로 다시 불러올 수 있습니다.',
    waiting: (n: number, atLeast: boolean) => `아직 모르는 새 메시지가 ${plural(n, { other: '#개' })}${orMore(atLeast)} 있습니다.`,
    busy: '턴이 진행 중입니다. 보낸 것은 턴이 끝나면 셉니다.',

    turns: '턴',
    whose: '누구의 턴',
    all: '모든 에이전트',
    older: '이전 턴',
    allShown: '모든 턴을 표시했습니다.',
    none: '아직 턴이 없습니다',
    noneHint: (handle: string | undefined) => `에이전트에게 보낸 것을 턴별로 보여 줍니다. 대화에서 ${handle ? `@${handle}` : '에이전트'}에게 쓰세요.`,
    noneOf: (handle: string) => `@${handle}의 턴이 아직 없습니다.`,
    input: (tokens: string) => `입력 ${tokens}`,
    cause: { mention: '멘션', direct: '1:1 대화', agent: '에이전트가 부름', retry: '다시 물음', unasked: '스스로' },

    since: { edited: '그 뒤 수정됨', deleted: '그 뒤 삭제됨' },

    view: '표시 방식',
    views: { blocks: '블록', changes: '이전 턴과의 차이', raw: '보낸 그대로' },
    steps: '단계와 수치',
    question: '질문으로',
    openContext: '컨텍스트에서 열기',
    sentTitle: '보낸 것',
    sentOf: (tokens: string, n: number) => `블록 ${plural(n, { other: '#개' })}에 ${tokens} 토큰을 보냈습니다.`,
    whole: (tokens: string) => `클라이언트가 센 모델의 첫 요청은 ${tokens} 토큰입니다.`,
    tokensHint: '블록의 토큰은 Hearth가 센 값(cl100k_base)으로 다른 모델에서도 대략 맞습니다. ~는 클라이언트가 알려 준 값에서 구했습니다.',
    nothing: {
      queued: '아직 보낸 것이 없습니다. 대기열에 있습니다.',
      waiting: '아직 보낸 것이 없습니다. 빈자리를 기다립니다.',
      unasked: '보낸 것이 없습니다. 아무도 묻지 않았고, 세션의 백그라운드 작업이 끝나 할 말이 생겼습니다.',
      out: '보낸 것이 없습니다. 대기열에서 뺐습니다.',
      other: '이 턴에 보낸 것은 저장되어 있지 않습니다.',
    },

    stack: '이 턴에 세션이 가지고 있던 것',
    kinds: {
      framing: '프레이밍', replay: '리플레이', payload: '메시지', brief: '규칙', reminder: '리마인더', rows: '새 메시지', index: '워크벤치 인덱스', command: '명령',
      earlier: '이전 턴', client: '클라이언트 자체',
    },
    had: '이미 있음',
    hadHint: '빗금: 이 턴에 보내지 않았고 세션이 이미 가지고 있던 것.',
    scaled: (name: string) => `${josa(`“${name}”`, '은/는')} 실제보다 작게 그렸습니다.`,
    tokens: (n: string) => `${n} 토큰`,
    about: (n: string) => `약 ${n} 토큰`,
    characters: (n: number) => plural(n, { other: '#자' }),
    why: {
      framing: '규칙입니다. 프로세스를 시작할 때 클라이언트의 프롬프트에 더하며, 이 턴에 시작했습니다.',
      framingHad: '규칙입니다. 이 프로세스가 시작할 때 이전 턴과 함께 들어갔습니다.',
      replay: '새로 시작한 뒤로 여기서 묻고 답한 것입니다. 프로세스가 기억하는 것이 없어서 보냈습니다.',
      payload: '이 턴이 답할 메시지와 그에 딸린 id입니다.',
      brief: '지켜야 할 규칙입니다. 이 에이전트에게는 턴마다 알려 줍니다.',
      reminder: '규칙을 떠올리게 하는 한 줄이며, 모든 턴에서 같습니다.',
      rowsNew: '세션이 이곳에 대해 마지막으로 들은 뒤로 여기에 쓴 것입니다.',
      rowsFirst: '여기의 최근 메시지입니다. 세션은 이곳에 대해 들은 것이 없었습니다.',
      index: '세션이 마지막으로 들은 뒤로 워크벤치에서 바뀐 것입니다.',
      command: '클라이언트 자체의 명령입니다. 앞에 아무것도 없어야 작동하므로 다른 것은 보내지 않았습니다. 새로운 것은 다음 턴에 전달됩니다.',
      earlier: (turns: string) =>
        `${josa(turns, '과/와')} 그때 한 모든 일, 그리고 클라이언트 자체의 프롬프트와 도구입니다. 클라이언트가 알려 준 첫 요청에서 여기에 표시한 것을 뺀 값이라 대략 맞습니다.`,
      client: '클라이언트 자체의 프롬프트와 도구 설명입니다. Hearth가 보내지 않습니다. 클라이언트가 알려 준 첫 요청에서 여기에 표시한 블록을 뺀 값입니다.',
    },
    earlierTurns: (n: number, atLeast: boolean) => plural(n, { other: '이전 턴 #개' }) + orMore(atLeast),
    earlierUnknown: '이전 턴',
    absentTitle: '보내지 않은 것과 이유',
    absent: {
      framing: '프로세스가 시작할 때 규칙을 받았습니다.',
      replayKnows: '세션이 묻고 답한 것을 기억합니다.',
      replayNone: '새로 시작한 뒤로 묻고 답한 것이 없습니다.',
      brief: '규칙은 프레이밍에 있고, 한 줄이 떠올리게 합니다.',
      reminder: '규칙 자체를 턴마다 반복합니다.',
      rows: '세션이 듣지 못한 글이 없습니다.',
      index: '워크벤치에 대해 듣지 못한 것이 없습니다.',
    },
    text: (kind: string) => `${kind}의 글`,
    copyBlock: '이 블록 복사',
    copyAll: '모두 복사',
    rawFraming: '프로세스가 시작할 때 준 것',
    rawTurn: '턴',

    rows: '살펴본 메시지',
    rowsNone: '살펴본 메시지가 없습니다.',
    rowsCount: (n: number) => plural(n, { other: '메시지 #개를 살펴보았습니다' }),
    verdicts: {
      addressed: '이 턴의 질문', shown: '보임', cut: '보임, 잘림', replayed: '리플레이에 있음', held: '보류', 'beyond limit': '한도 초과', own: '직접 씀', seen: '이미 들음', deleted: '삭제됨', current: '지금 글로 전함',
    },
    reasons: {
      addressed: '이 턴이 답하는 메시지이며, 메시지 블록에 있습니다.',
      shown: '세션에 새로운 것이라 전부 보였습니다.',
      cut: '세션에 새로운 것이지만 너무 길어 앞부분을 보이고 더 있다고 알렸습니다.',
      replayed: '리플레이에 들어 있습니다.',
      held: '에이전트의 대기열에 아직 있는 메시지이며, 그 턴에서 전달합니다.',
      'beyond limit': '세션에 새로운 것이지만 자리가 있는 최근 것에 들지 않아 한 줄로 세기만 했습니다.',
      own: '세션이 직접 썼습니다.',
      seen: '세션이 이전 턴에 들었습니다.',
      deleted: '이 턴 전에 내가 삭제해서, 그 내용은 전하지 않습니다.',
      current: '수정되었거나 삭제된 메시지입니다. 세션이 이전 글을 들은 적이 없거나, 새 글을 함께 받습니다.',
    },
    cutBy: (n: string) => `${n}자 생략`,
    correction: '변경 내용',
    rowGone: '이 메시지는 더는 여기에 없습니다.',
    omitted: (n: number) => plural(n, { other: '메시지 #개가 더 있다고만 알리고 보이지 않았습니다' }),
    omittedBy: (n: number, who: string) => `${who} ${n}개`,
    omittedHint: '에이전트에게 몇 개이고 누가 썼으며 기록의 어디에 있는지 알렸습니다.',
    omittedGo: '끝나는 곳으로',

    mark: '세션이 들은 것',
    markHint: '워터마크: 이 세션이 이곳에 대해 들은 것.',
    before: '이전',
    after: '이후',
    markNone: '이곳에 대해 없음',
    markOther: '없음: 보관한 것은 다른 세션의 것',
    markUpTo: (when: string) => `${when}까지 듣거나 알림`,
    markIds: (n: string) => `id로 보관한 메시지 ${n}개`,
    markMost: '워터마크는 최근 200개를 보관합니다.',
    pending: '턴이 잘 끝나면 확정됩니다.',
    dropped: '버렸습니다. 턴이 실패해 전달되었다는 증거가 없습니다. 다음 턴에 다시 전합니다.',
    kept: '턴은 실패했지만 세션이 메시지를 가지고 있어 보관했습니다.',

    savings: '컨텍스트에서 뺀 것',
    savingsSum: (tokens: string) => `약 ${tokens} 토큰`,
    saving: {
      spill: '긴 출력을 파일로 뺌', denial: '워커에게 맡김', glance: '직접 훑어봄', index: '인덱스의 바뀐 것만 전함', isolated: '워커가 전용 worktree를 받음',
    },
    savingSize: (chars: string, lines: number) => `${plural(lines, { other: '#줄' })}, ${chars}자`,
    savingFault: (why: string) => `파일로 빼야 했지만 빼지 못했습니다: ${why}`,
    savingWorker: '워커',

    against: (when: string) => `${when} 턴과 비교합니다.`,
    passed: '그 사이의 한 턴에는 보낸 것이 없습니다.',
    againstOtherSession: '그 턴은 다른 세션의 것입니다.',
    noBefore: '비교할 이전 턴이 없습니다.',
    same: '같음',
    changed: '바뀜',
    added: '전에는 보내지 않음',
    removed: '이번에는 보내지 않음',
    more: (n: string) => `+${n}`,
    less: (n: string) => `−${n}`,
    addedText: '추가',
    removedText: '삭제',
    tooLong: '비교하기에는 너무 깁니다. 이전 글 다음에 새 글이 나옵니다.',
    notFound: '이 턴을 찾지 못했습니다. 회수되었거나 채널과 함께 삭제되었을 수 있습니다.',
  },
} satisfies Widen<typeof English>
