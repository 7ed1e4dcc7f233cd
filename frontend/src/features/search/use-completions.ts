import { fold, selectChannels, selectArchived, texts, useSelect, writtenDay } from '@/core'
import { completed, typing } from './typed'

export interface Completion {
  /** What is shown, and softer what it means. */
  text: string
  detail: string
  /** What is typed then. */
  typed: string
}

const most = 6

/** useCompletions are ways to go on with the filter that is being written. */
export function useCompletions(text: string, archived: boolean): readonly Completion[] {
  const { shared, direct } = useSelect(selectChannels)
  const away = useSelect(selectArchived)
  const people = useSelect((s) => s.people)
  const bindings = useSelect((s) => s.bindings)
  const last = typing(text)
  if (!last) return []
  const words = texts.everywhere.days
  const values = (): { value: string; detail: string }[] => {
    switch (last.filter) {
      case 'in':
        return [...shared, ...direct, ...(archived ? away : [])].map((c) => ({ value: c.name, detail: c.topic }))
      case 'from': {
        const handles = new Set([...Object.values(bindings).map((b) => b.handle), ...Object.values(people).flatMap((all) => all.map((p) => p.handle))])
        return [{ value: 'me', detail: texts.common.you }, ...[...handles].filter(Boolean).map((value) => ({ value, detail: '' }))]
      }
      case 'is':
        return [{ value: 'thread', detail: words.thread }]
      default: {
        const today = writtenDay(new Date())
        const [year, month] = [today.slice(0, 4), today.slice(0, 7)]
        return [
          { value: 'today', detail: today }, { value: 'yesterday', detail: '' }, { value: month, detail: words.month }, { value: year, detail: words.year },
        ]
      }
    }
  }
  const begun = fold(last.value.replace(/^[#＃@＠]/, ''))
  const fits = values().filter(({ value }) => fold(value).startsWith(begun))
  // What is whole already needs no completion.
  if (fits.some(({ value }) => fold(value) === begun)) return []
  return fits.slice(0, most).map(({ value, detail }) => ({ text: `${last.filter}:${value}`, detail, typed: completed(text, last, value) }))
}
