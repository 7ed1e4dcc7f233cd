import { describe, expect, it } from 'vitest'
import { defaultWidths, layoutPanes, paneBounds } from './panes'

describe('layoutPanes', () => {
  it.each([
    [1600, false, { list: 232, chat: true, detail: 0 }],
    [600, false, { list: 200, chat: true, detail: 0 }],
    [560, false, { list: 0, chat: true, detail: 0 }],
    [1600, true, { list: 232, chat: true, detail: 400 }],
    [900, true, { list: 180, chat: true, detail: 320 }],
    [879, true, { list: 0, chat: true, detail: 400 }],
    [700, true, { list: 0, chat: true, detail: 300 }],
    [690, true, { list: 180, chat: false, detail: 510 }],
    [480, true, { list: 0, chat: false, detail: 480 }],
  ])('%i wide, with a detail: %s', (width, detail, want) => expect(layoutPanes(width, defaultWidths, detail)).toEqual(want))

  it('never gives away more than there is, nor less than a pane needs', () => {
    for (let width = 200; width < 2600; width += 7) {
      for (const wanted of [defaultWidths, { list: 0, detail: 0 }, { list: 9000, detail: 9000 }]) {
        for (const hasDetail of [true, false]) {
          const { list, chat, detail } = layoutPanes(width, wanted, hasDetail)
          expect(list === 0 || list >= paneBounds.list.min).toBe(true)
          expect(detail > 0).toBe(hasDetail)
          if (chat) expect(width - list - detail).toBeGreaterThanOrEqual(Math.min(width, paneBounds.chat))
          else expect(list + detail).toBe(width)
        }
      }
    }
  })
})
