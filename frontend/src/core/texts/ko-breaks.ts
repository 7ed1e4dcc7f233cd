import type { Widen } from './catalogue'
import type { breaks as English } from './en-breaks'

const settings: Record<Parameters<(typeof English)['breaks']['edited']>[0][number], string> = {
  model: '모델', role: '역할', workers: '워커', hands: '직접 쓰는 도구', handle: '이름', brief: '턴마다 알려 주는 규칙', workspace: '작업 폴더', api: 'API 주소',
}

/** 프로세스가 어떻게 종료되었는지, 캐시 이야기에서도 최근 턴에서도 같은 말로. */
const endings: Record<keyof (typeof English)['endings'], string> = {
  idle: '오래 쓰지 않아 프로세스가 종료되었습니다',
  evicted: '프로세스가 다른 에이전트에게 자리를 내주었습니다',
  crashed: '프로세스가 비정상 종료되었습니다',
  fresh: '새로 시작했습니다',
  closed: 'Hearth가 종료되었습니다',
  lost: 'Hearth가 비정상 종료되었습니다',
  changed: '설정이 바뀌었습니다',
  revoked: '허용한 권한을 거두었습니다',
  replaced: '저장된 세션을 복원하려고 프로세스를 종료했습니다',
  afresh: '턴이 끝나면 프로세스를 남기지 않습니다',
  ended: '프로세스가 종료되었습니다',
  unknown: '프로세스가 종료된 까닭은 알 수 없습니다',
}

const restore = '다시 묻기 전에 카드에서 복원하면 저장된 세션을 이어 갑니다.'

/** 비용이 든 종료에 대해 할 수 있는 일. 비어 있으면 없음. */
const advice: Record<keyof (typeof English)['endings'], string> = {
  idle: restore,
  evicted: `${restore} 함께 일하는 에이전트가 적으면 저마다 프로세스를 유지합니다.`,
  crashed: `${restore} 비정상 종료된 까닭은 로그에 있습니다.`,
  fresh: '',
  closed: `${restore} Hearth를 백그라운드에서 계속 실행하면 에이전트가 유지됩니다.`,
  lost: restore,
  changed: '설정은 일을 하는 중이 아니라 일과 일 사이에 바꾸세요.',
  revoked: restore,
  replaced: '',
  afresh: '상주하는 에이전트는 기억하며, 새로운 것만 받습니다.',
  ended: restore,
  unknown: '',
}

/** 턴이 캐시에서 읽을 수 있었던 것보다 적게 읽었다는 말. */
export const breaks = {
  endings,
  breaks: {
    because: {
      expired: '캐시가 만료되었습니다',
      model_changed: '모델이 바뀌었습니다',
      version_changed: 'Claude Code가 업데이트되었습니다',
      tools_changed: '도구가 바뀌었습니다',
      framing_changed: '시작할 때 전하는 규칙이 바뀌었습니다',
      compaction: '요약이 대화를 대신했습니다',
      new_process: '새 프로세스가 답했습니다',
      known_miss: '이 버전의 Claude Code에 알려진 결함입니다',
      client_or_api: 'Claude Code나 API가 잃었습니다',
      unknown: '이유를 알 수 없습니다',
    },
    about: {
      expired: '캐시의 보관 시간보다 오래 아무것도 묻지 않았습니다.',
      model_changed: '모델마다 캐시가 따로 있습니다.',
      version_changed: '새 버전은 다른 지시와 도구를 보냅니다.',
      tools_changed: '도구는 보내는 것의 맨 앞에 있어, 그 뒤의 모든 것을 다시 읽습니다.',
      framing_changed: '맨 앞에 있어, 그 뒤의 모든 것을 다시 읽습니다.',
      compaction: '읽을 대화가 달라졌습니다.',
      new_process: '새 프로세스가 답했고, 이전 프로세스가 보낸 것과 다른 것을 보냈습니다.',
      known_miss: '첫 요청이 클라이언트 자체의 메모로 끝나, 거기까지 보관된 것을 다시 찾지 못합니다. 한 번만 일어나며 여기서 막을 수 없습니다.',
      client_or_api: 'Hearth나 사용자가 정하는 것은 바뀌지 않았습니다.',
      unknown: '두 턴에 대해 알려진 것이 너무 적습니다.',
    },
    edited: (names) => `설정이 바뀌었습니다(${names.map((name) => settings[name]).join(', ')})`,
    anew: '새 세션이 시작되었습니다',
    restored: (ending: string) => `새 프로세스에 복원했습니다(${ending})`,
    open: (what: string, ending: string) => `${what}. ${ending}`,
    advice,
    processBefore: '이전 프로세스',
    noticed: (time: string) => `Hearth를 다시 시작할 때 확인, ${time}`,
    agents: '이 채널의 에이전트',
    log: '로그',
    reread: (tokens: string, why: string) => `${tokens} 토큰을 다시 읽음: ${why}.`,
    title: '캐시',
    left: '남긴 것',
    leftHint: (tokens: string) => `이전 턴이 ${tokens} 토큰`,
    read: '그중 읽음',
    sent: '보냄',
    idle: '쓰지 않음',
    idleHint: (idle: string, life: string) => `${idle} 동안. 캐시의 보관 시간은 ${life}`,
    idleUnknown: (life: string) => `기간은 알 수 없음. 캐시의 보관 시간은 ${life}`,
    differs: '다른 곳',
    parts: { '': '', model: '모델', version: '버전', tools: '도구', framing: '프레이밍', system: '시스템 프롬프트', messages: '메시지' },
    was: '이전',
    is: '지금',
    bytes: (name: string, bytes: string) => `${name} (${bytes}바이트)`,
    said: 'API의 말',
    saidTokens: (reason: string, tokens: string) => `${reason}, ${tokens} 토큰`,
    quiet: '예상된 일이라 경고하지 않습니다.',
    quietAnew: '새로 시작한 대화는 처음부터 다시 읽으므로 경고하지 않습니다.',
    besides: '그 밖',
    sameProcess: '같은 프로세스가 두 턴에 답했습니다.',
    startedAnew: '이 턴에서 대화가 새로 시작되었습니다.',
    incomplete: '비교할 것 가운데 두 턴에서 모두 알려지지 않은 것이 있습니다.',
    before: '이전 턴',
    all: '이 채널의 캐시',
  },
} satisfies Widen<typeof English>
