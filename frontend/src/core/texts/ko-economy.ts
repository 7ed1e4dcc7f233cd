import type { Widen } from './catalogue'
import type { economy as English } from './en-economy'
import { josa } from './josa'
import { pluralIn } from './plural'

const plural = pluralIn('ko')

const lines = (n: number) => plural(n, { other: '#줄' })
const characters = (n: number) => plural(n, { other: '#자' })
const less = (tokens: string) => (tokens ? `, 약 ${tokens} 토큰 절약` : '')

/** 에이전트의 컨텍스트를 작게 지키는 것: 역할과 워커, 파일로 뺀 출력, 턴의 단계가 그에 대해 말하는 것. */
export const economy = {
  economy: {
    role: '일하는 방식',
    roles: { plain: '일반', coordinator: '코디네이터' },
    roleHints: {
      plain: '모든 일을 직접 합니다.',
      coordinator: '워커에게 맡기고 보고를 읽습니다.',
    },
    roleHint: '에이전트가 읽은 것은 컨텍스트에 남아 요청마다 다시 보내지고, 워커가 읽은 것은 워커와 함께 사라집니다. 기본값: 일반.',
    hands: '직접 쓰는 도구',
    handsHint: '맡기기, 할 일 목록, 파일 읽기, Hearth의 도구는 언제나 쓸 수 있고, 파일은 바꿀 수 없습니다. 기본값: 모두 맡김. 검색 결과나 페이지가 짧은 곳에서는 허용하세요.',
    glance: '훑어보기: 보기만 하는 명령 실행',
    glanceHint: 'git status, ls, cat과 이들을 파이프로 이은 것입니다. 기본값: 켬. 훑어보려고 워커를 시작하는 쪽이 더 비쌉니다.',
    spill: '긴 출력을 파일로 빼는 기준',
    spillUnit: '자 초과',
    spillHint: '기준보다 긴 글 대신 파일의 위치를 받고, 필요한 부분만 읽습니다. 기본값: 4,000. 0: 빼지 않고 모두 컨텍스트에 둡니다.',
    spillOff: '빼지 않음: 아무리 길어도 모든 출력이 컨텍스트에 남습니다.',
    spillBad: '빼지 않으려면 0을, 아니면 1,000에서 1,000,000 사이의 정수를 쓰세요.',

    workers: '워커',
    workersHint: '일을 맡기는 상대입니다. 각자 빈 컨텍스트로 시작해 한 가지 일을 하고 최대 30줄로 보고합니다. 기본값: explorer, implementer, tester.',
    workersNone: '워커 없음: Claude Code에 원래 있는 것에게 맡깁니다.',
    workersMost: '최대 12개입니다. 모든 프로세스에서 에이전트에게 전부 알려 주기 때문입니다.',
    worker: (name: string) => (name ? `워커 ${name}` : '새 워커'),
    unnamed: '아직 이름 없음',
    addWorker: '워커 추가',
    usual: '기본 셋',
    usualHint: '여기의 워커를 explorer, implementer, tester로 바꿉니다',
    usualDone: '이제 기본 셋입니다.',
    duplicate: (name: string) => `${name || '새 워커'} 복제`,
    remove: (name: string) => `${name || '새 워커'} 빼기`,
    removed: (name: string) => `${josa(name || '새 워커', '을/를')} 뺐습니다.`,
    putBack: (name: string) => `실행 취소: ${name || '새 워커'} 되돌리기`,
    toMend: '고칠 것이 있음',
    name: '이름',
    nameHint: '코디네이터가 부르는 이름입니다. a~z, 숫자, -로 최대 40자입니다.',
    nameBad: 'a~z, 0~9, -를 1~40자 쓰세요. -로 시작할 수 없습니다.',
    nameTaken: (name: string) => `${josa(name, '이라는/라는')} 워커가 둘입니다. 하나의 이름을 바꾸세요.`,
    description: '언제 쓰는지',
    descriptionHint: '코디네이터가 고를 때 읽습니다. 최대 500자입니다.',
    descriptionNone: '언제 쓰는지 쓰세요. 없으면 코디네이터가 고를 수 없습니다.',
    descriptionBad: (n: number) => `${characters(n)}입니다. 최대 500자이니 줄이세요.`,
    prompt: '지시',
    promptHint: '맡은 일 앞에 놓이며, 보고 규칙은 자동으로 뒤따릅니다. 최대 4,000자입니다.',
    promptNone: '할 일과 하지 말아야 할 일을 쓰세요.',
    promptBad: (n: number) => `${characters(n)}입니다. 최대 4,000자이니 줄이세요.`,
    unseen: '보이지 않는 문자가 들어 있습니다. 지우거나 글을 새로 쓰세요.',
    tools: '도구',
    toolsHint: '도구가 적을수록 시작할 때 드는 토큰이 적습니다. 모든 도구에 내 권한 설정이 적용됩니다.',
    toolsNone: '도구를 하나 이상 고르세요. 없으면 아무 일도 할 수 없습니다.',
    model: '모델',
    modelHint: 'inherit는 코디네이터와 같은 모델입니다. 아끼는 것은 품질이 아니라 컨텍스트입니다. 또는 opus, sonnet, haiku 같은 이름을 쓰세요.',
    modelBad: 'inherit 또는 모델의 이름을 쓰세요. 최대 200자이고, -로 시작할 수 없습니다.',
    isolated: '전용 git worktree',
    isolatedHint: '두 워커가 같은 파일을 동시에 바꿀 수 있습니다. 기본값: 끔. 켜면 에이전트의 워크벤치는 저장소 밖, Hearth의 데이터 폴더에 놓입니다.',
    isolatedMark: '격리됨',

    facts: (workers: number) => (workers === 0 ? '코디네이터, 워커 없음' : `코디네이터, ${plural(workers, { other: '워커 #개' })}`),
    workersFact: '워커',
    spillFact: '긴 출력',
    spillOver: (n: string) => `${n}자를 넘으면 파일로`,
    spillNever: '컨텍스트에 남음',

    git: 'git이 워크벤치에서 무시하는 것',
    gits: { all: '모두', output: '출력', nothing: '없음' },
    gitHints: {
      all: 'git에 .flower가 전혀 보이지 않습니다.',
      output: 'git에 스크립트와 노트가 보여 공유할 수 있습니다.',
      nothing: 'git에 모두 보입니다.',
    },
    gitHint: 'Hearth가 워크벤치를 만들 때 적용됩니다. 기본값: 모두. 실수로 커밋되지 않게 합니다.',
    gitHintNow: 'Hearth가 워크벤치를 만들 때 적용됩니다. 이미 있는 워크벤치는 .flower의 .gitignore를 직접 바꾸세요. Hearth는 건드리지 않습니다.',

    kept: {
      total: (tokens: string) => `약 ${tokens} 토큰 제외`,
      totalHint: '에이전트와 워커의 컨텍스트에서 줄어든 양을 Hearth가 어림한 값입니다. 턴의 사용량은 클라이언트가 알려 준 값입니다.',
      spill: '제외:',
      size: (count: number, chars: number) => (count > 1 ? lines(count) : characters(chars)),
      less,
      open: (path: string) => `워크벤치에서 ${path} 열기`,
      glance: '훑어보기',
      glanced: (tokens: string) => `보기만 하는 명령이라 워커가 필요 없었습니다${less(tokens)}`,
      denied: '코디네이터는 이 일을 워커에게 맡깁니다.',
      isolated: '격리됨',
      worktree: '워커가 전용 git worktree를 받았습니다.',
      worktrees: '한 워커가 전용 git worktree를 받았습니다.',
      index: (tokens: string) => `워크벤치 인덱스: 새로운 것만 전달했습니다${less(tokens)}`,
      of: (command: string) => `${command}의 출력`,
      ofTool: (tool: string) => `${tool}의 출력`,
      deniedTool: (tool: string) => `${tool} 거부됨: 코디네이터는 이 일을 맡깁니다`,
      besides: '그 밖에',
      fault: (why: string) => `제외하지 못함: 파일에 넣을 수 없었습니다 (${why}).`,
      faultSpace: '디스크에 공간을 만드세요. 그러면 긴 출력을 다시 파일로 뺍니다.',
      faultRights: '.flower 폴더에 쓰기 권한을 주세요. 그러면 긴 출력을 다시 파일로 뺍니다.',
      faultOther: '.flower 폴더에 쓸 수 있는지 확인하세요. 자세한 내용은 로그에 있습니다(위치는 hearth doctor).',
    },
  },
} satisfies Widen<typeof English>
