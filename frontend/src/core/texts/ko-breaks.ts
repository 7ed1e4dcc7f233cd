import type { Widen } from './catalogue'
import type { breaks as English } from './en-breaks'

const settings: Record<Parameters<(typeof English)['breaks']['edited']>[0][number], string> = {
  model: '모델', role: '역할', workers: '워커', hands: '직접 쓰는 도구', handle: '이름', brief: '턴마다 알려 주는 규칙', workspace: '작업 폴더', api: 'API 주소',
}

/** 턴이 캐시에서 읽을 수 있었던 것보다 적게 읽었다는 말. */
export const breaks = {
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
      new_process: '이전 프로세스가 보낸 것과 다른 것을 보냈습니다.',
      known_miss: '첫 요청이 클라이언트 자체의 메모로 끝나, 거기까지 보관된 것을 다시 찾지 못합니다. 한 번만 일어나며 여기서 막을 수 없습니다.',
      client_or_api: 'Hearth나 사용자가 정하는 것은 바뀌지 않았습니다.',
      unknown: '두 턴에 대해 알려진 것이 너무 적습니다.',
    },
    edited: (names) => `설정이 바뀌었습니다(${names.map((name) => settings[name]).join(', ')})`,
    anew: '새 세션이 시작되었습니다',
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
    besides: '그 밖',
    sameProcess: '같은 프로세스가 두 턴에 답했습니다.',
    startedAnew: '이 턴에서 대화가 새로 시작되었습니다.',
    incomplete: '비교할 것 가운데 두 턴에서 모두 알려지지 않은 것이 있습니다.',
    before: '이전 턴',
    all: '이 채널의 캐시',
  },
} satisfies Widen<typeof English>
