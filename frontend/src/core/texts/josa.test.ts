import { expect, it } from 'vitest'
import { josa } from './josa'

it.each([
  ['민', '이/가', '민이'], ['나', '이/가', '나가'], ['서울', '을/를', '서울을'], ['서울', '으로/로', '서울로'], ['부산', '으로/로', '부산으로'], ['제주', '으로/로', '제주로'],
  ['채널', '은/는', '채널은'], ['스레드', '은/는', '스레드는'], ['값', '과/와', '값과'], ['일반', '이라는/라는', '일반이라는'], ['개발', '이라는/라는', '개발이라는'], ['나', '이라는/라는', '나라는'],
  // What stands around it is not spoken.
  ['“일반”', '은/는', '“일반”은'], ['@유나', '이/가', '@유나가'], ['파일(새것)', '을/를', '파일(새것)을'],
  // Written in parts, as some systems name files.
  ['민'.normalize('NFD'), '이/가', '민'.normalize('NFD') + '이'],
  // Digits, by their Sino-Korean names.
  ['404', '으로/로', '404로'], ['500', '으로/로', '500으로'], ['3', '이/가', '3이'], ['1', '으로/로', '1로'], ['7', '은/는', '7은'], ['2', '이/가', '2가'],
  // English, as a Korean says it.
  ['@claude', '이/가', '@claude가'], ['codex', '은/는', 'codex는'], ['@bot', '이/가', '@bot이'], ['agent', '을/를', 'agent를'], ['google', '으로/로', 'google로'], ['min', '은/는', 'min은'],
  ['Bash', '을/를', 'Bash를'], ['Read', '을/를', 'Read를'], ['Grep', '을/를', 'Grep을'], ['testing', '이/가', 'testing이'], ['machine', '을/를', 'machine을'], ['explorer', '이/가', 'explorer가'],
  ['slack', '은/는', 'slack은'], ['main', '으로/로', 'main으로'], ['tool', '으로/로', 'tool로'], ['task', '을/를', 'task를'],
  // Spelled letter by letter.
  ['URL', '은/는', 'URL은'], ['API', '을/를', 'API를'], ['IBM', '이/가', 'IBM이'], ['38.2k', '을/를', '38.2k를'],
  // Nobody knows: both, as Korean does.
  ['कोड', '이/가', 'कोड이(가)'], ['كود', '으로/로', 'كود(으)로'], ['🙂', '을/를', '🙂을(를)'], ['', '은/는', '은(는)'], ['…', '이라는/라는', '…(이)라는'],
] as const)('%s + %s', (word, particle, want) => expect(josa(word, particle)).toBe(want))
