import { describe, expect, it } from 'vitest'
import { entriesOf, foreignIn, lostIn, plainWorld, saidAt, type World } from '@/test/translation'
import { en } from './en'
import { ko } from './ko'

/** Names, keys and words of programs, which Korean says as English does. */
const known = new Set(
  'Hearth Claude Code Messages API Ollama LiteLLM hearth open English Ctrl Shift Alt Enter Esc kB MB GB JSON INDEX md text git status cat ls id doctor backend worktree opus sonnet haiku inherit explorer implementer tester cl base CSV MiB MCP me is thread Linux Mac code reuse window VISUAL EDITOR Dock quit'.split(' '),
)

/** Words as they may stand in a text: with a final consonant, with a vowel, with ㄹ, in Latin, in a script nobody reads aloud here. */
const worlds: World[] = [
  { text: (i) => `${i}값`, number: () => 3 },
  { text: (i) => `${i}나`, number: () => 2 },
  { text: (i) => `${i}서울`, number: () => 1 },
  { text: () => 'claude', number: () => 0 },
  { text: () => 'कोड', number: () => 1_000_000 },
  { text: () => '', number: () => 1 },
]
const entries = entriesOf(plainWorld)
const everything = [entries, ...worlds.map(entriesOf)].flatMap((all) => all.flatMap((entry) => saidAt(ko, entry).map((text) => ({ name: entry.path.join('.'), text }))))

/** The particles that do not fit behind a word, whatever stands between them but letters. */
const misfits: Record<string, RegExp> = {
  값: /값[”"’)\]]?(를|가|는|와|로|라는)(?![\p{L}])/u,
  나: /나[”"’)\]]?(을|이|은|과|으로|이라는)(?![\p{L}])/u,
  서울: /서울[”"’)\]]?(를|가|는|와|으로|라는)(?![\p{L}])/u,
}
const misfit = (text: string) => Object.values(misfits).some((wrong) => wrong.test(text))
/** One way of speaking: -습니다 and -하세요, never -해요 nor -한다. */
const style = (text: string) => /[!！]/.test(text) || /(?<![세필])요(?=[.?]|$)/u.test(text) || /(?<!니)다(?=[.]|$)/u.test(text)

describe('Korean', () => {
  it('is all looked at', () => {
    expect(entries.length).toBeGreaterThan(600)
    expect(entries.find(({ path }) => path.join('.') === 'channels.unread')?.calls).toEqual([[23, false], [23, true]])
  })
  it('says all that English says', () => expect(lostIn(en, ko, entries)).toEqual([]))
  it('has no English left in it', () => expect(foreignIn(ko, entries, known)).toEqual([]))
  it('has the particles that fit', () => expect(everything.filter(({ text }) => misfit(text))).toEqual([]))
  it('speaks in one way, and calmly', () => expect(everything.filter(({ text }) => style(text))).toEqual([]))
})

describe('the checks', () => {
  const part = (channels: object) => ({ ...ko, channels: { ...ko.channels, ...channels } })
  it('find an argument that is left out', () => expect(lostIn(en, part({ deleteTitle: () => '삭제?' }), entries)).toEqual(['channels.deleteTitle loses ⟨0⟩: 삭제?']))
  it('find a difference that is not made', () => expect(lostIn(en, part({ unread: (n: number) => `${n}개` }), entries)).toEqual(['channels.unread says the same whatever [23,true] is']))
  it('find English', () => expect(foreignIn(part({ create: en.channels.create }), entries, known)).toEqual(['channels.create has “New”: New channel', 'channels.create has “channel”: New channel']))
  it('find particles', () => {
    expect(['3값를 씁니다', '“2나”이 있습니다', '1서울으로 갑니다'].map(misfit)).toEqual([true, true, true])
    expect(['3값을 씁니다', '2나이다', '1서울로 갑니다'].map(misfit)).toEqual([false, false, false])
  })
  it('find another way of speaking', () => {
    expect(['했어요.', '한다.', '했습니다!'].map(style)).toEqual([true, true, true])
    expect(['하세요.', '했습니다.', '필요'].map(style)).toEqual([false, false, false])
  })
})
