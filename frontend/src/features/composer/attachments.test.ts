import { describe, expect, it } from 'vitest'
import { formatSize, withAttachments, type Attachment } from './attachments'

const done = (name: string, path: string, image = false): Attachment => ({ id: name, name, size: 1, image, state: 'done', progress: 1, path })

describe('withAttachments', () => {
  it.each<[string, string, Attachment[], string]>([
    ['a picture', ' look ', [done('a.png', '/w/a.png', true)], 'look\n\n![a.png](/w/a.png)'],
    ['a file alone', '', [done('a.txt', '/w/a.txt')], '[a.txt](/w/a.txt)'],
    ['a path with a blank', '', [done('a b.txt', '/my work/a b.txt')], '[a b.txt](</my work/a b.txt>)'],
    ['a name with brackets', '', [done('a[1]_*.txt', '/w/a-1.txt')], '[a\\[1\\]\\_\\*.txt](/w/a-1.txt)'],
    ['a path with brackets of every kind', '', [done('a', '/w/(a)<b>')], '[a](</w/(a)\\<b\\>>)'],
    ['nothing', ' text', [], 'text'],
  ])('%s', (_, text, files, want) => expect(withAttachments(text, files)).toBe(want))
})

describe('formatSize', () => {
  it.each([[940, '940 B'], [12_345, '12 kB'], [999_600, '1.0 MB'], [26_214_400, '26.2 MB']])('%i', (bytes, want) =>
    expect(formatSize(bytes).replace('\u202f', ' ')).toBe(want),
  )
})
