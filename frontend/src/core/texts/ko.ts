import type { Texts } from './catalogue'
import { breaks } from './ko-breaks'
import { cache } from './ko-cache'
import { changes } from './ko-changes'
import { clientCommands } from './ko-commands'
import { context } from './ko-context'
import { frame } from './ko-frame'
import { agents } from './ko-agents'
import { economy } from './ko-economy'
import { desk } from './ko-desk'
import { logs } from './ko-logs'
import { messages } from './ko-messages'
import { roster } from './ko-roster'
import { search } from './ko-search'
import { notify } from './ko-notify'
import { spend } from './ko-spend'
import { workbench } from './ko-workbench'

/**
 * 한국어. 합니다체로 쓰고, 부탁은 '-하세요'로, 단추는 명사로 쓴다. 느낌표는 쓰지 않는다. 변수 뒤의 조사는 josa로 고른다.
 *
 * 용어 (한 낱말에 한 뜻):
 *   channel 채널 · direct line 1:1 대화 · thread 스레드 · message 메시지 · mention 멘션 · topic 주제 · folder 폴더
 *   agent 에이전트 · roster 참여자 · handle 이름 · client 클라이언트 · stand-in 대역 · coordinator 코디네이터 · worker 워커
 *   turn 턴 · run 실행 · queue 대기열 · step 단계 · session 세션 · process 프로세스 · Start fresh 새로 시작
 *   warm 웜 · cold 콜드 · restored 복원 (뜻은 마우스를 올리면 나온다: ko-messages.ts의 temperatureHint)
 *   context 컨텍스트 · cache 캐시 · token 토큰 · framing 프레이밍 · brief 규칙 · reminder 리마인더 · replay 리플레이
 *   index 인덱스 · workbench 워크벤치 · spilled output 파일로 뺀 출력 · glance 훑어보기 · watermark 워터마크
 *   permission 권한 · allow 허용 · deny 거부 · spending limit 지출 한도 · archive 보관 · settings 설정
 */
export const ko = {
  ...frame,
  ...breaks,
  ...cache,
  ...changes,
  ...clientCommands,
  ...context,
  ...agents,
  ...desk,
  ...economy,
  ...logs,
  ...messages,
  ...roster,
  ...search,
  ...notify,
  ...spend,
  ...workbench,
  common: {
    close: '닫기',
    cancel: '취소',
    undo: '실행 취소',
    save: '저장',
    tryAgain: '다시 시도',
    copy: '복사',
    copied: '복사됨',
    more: '더 보기',
    you: '나',
    and: ', ',
    at: (day: string, clock: string) => `${day} ${clock}`,
    quantity: (n: string, unit: string) => `${n} ${unit}`,
    seconds: (n: string) => `${n}초`,
    minutes: (n: string) => `${n}분`,
    hours: (n: string) => `${n}시간`,
    notifications: 'Hearth의 알림',
    notificationsPlace: 'Hearth의 알림 ({hotkey})',
  },
} satisfies Texts
