import { describe, expect, it } from 'vitest'
import { fits, isBare, keyNames, keysFrom, keysOf, ownersOf, pressed, readKeymap, refusal, shortKeys, withKeys, type KeyPress } from './keys'

const press = (key: string, fields: Partial<KeyPress> = {}): KeyPress => ({
  key, code: '', metaKey: false, ctrlKey: false, altKey: false, shiftKey: false, ...fields,
})

describe('fits', () => {
  const cases: [string, KeyPress, string, boolean, boolean][] = [
    ['⌘ on a Mac', press('k', { metaKey: true }), 'mod+k', true, true],
    ['Ctrl on a Mac is no mod', press('k', { ctrlKey: true }), 'mod+k', true, false],
    ['Ctrl elsewhere', press('k', { ctrlKey: true }), 'mod+k', false, true],
    ['more than was asked', press('k', { ctrlKey: true, shiftKey: true }), 'mod+k', false, false],
    ['less than was asked', press('k'), 'mod+k', false, false],
    ['a bare letter', press('t'), 't', false, true],
    ['a bare letter with Caps Lock', press('T'), 't', false, true],
    ['a bare letter with Ctrl is something else', press('t', { ctrlKey: true }), 't', false, false],
    ['a Korean layout', press('ㅅ', { code: 'KeyT' }), 't', false, true],
    ['a Korean layout, another key', press('ㅅ', { code: 'KeyT' }), 's', false, false],
    ['another Latin layout goes by its letters', press('a', { code: 'KeyQ' }), 'q', false, false],
    ['? with Shift', press('?', { shiftKey: true }), '?', false, true],
    ['? without, on another layout', press('?'), '?', false, true],
    ['arrows', press('ArrowUp', { altKey: true, shiftKey: true }), 'alt+shift+arrowup', false, true],
    ['arrows without Shift', press('ArrowUp', { altKey: true }), 'alt+shift+arrowup', false, false],
  ]
  it.each(cases)('%s', (_, event, keys, mac, expected) => expect(fits(event, keys, mac)).toBe(expected))
})

it('knows which keys type something', () => {
  expect(['t', '?', 'shift+enter', 'arrowup'].map(isBare)).toEqual([true, true, true, true])
  expect(['mod+k', 'alt+shift+arrowup', 'escape'].map(isBare)).toEqual([false, false, false])
})

it('writes keys as they stand on the keyboard', () => {
  expect(keyNames('mod+shift+f', true)).toEqual(['⌘', '⇧', 'F'])
  expect(keyNames('alt+arrowup', false)).toEqual(['Alt', '↑'])
})

describe('keysFrom', () => {
  const cases: [string, KeyPress, boolean, string | undefined][] = [
    ['a letter', press('g', { code: 'KeyG' }), false, 'g'],
    ['a letter with Shift', press('G', { code: 'KeyG', shiftKey: true }), false, 'shift+g'],
    ['Ctrl', press('j', { code: 'KeyJ', ctrlKey: true }), false, 'mod+j'],
    ['⌘', press('j', { code: 'KeyJ', metaKey: true }), true, 'mod+j'],
    ['Ctrl on a Mac', press('j', { code: 'KeyJ', ctrlKey: true }), true, undefined],
    ['⌥ writes another letter on a Mac', press('∆', { code: 'KeyJ', altKey: true }), true, 'alt+j'],
    ['a Korean layout', press('ㅓ', { code: 'KeyJ' }), false, 'j'],
    ['another Latin layout', press('a', { code: 'KeyQ' }), false, 'a'],
    ['a sign that needs Shift', press('?', { shiftKey: true }), false, '?'],
    ['a function key', press('F5'), false, 'f5'],
    ['arrows', press('ArrowUp', { ctrlKey: true, altKey: true }), false, 'mod+alt+arrowup'],
    ['a mod alone', press('Control', { ctrlKey: true }), false, undefined],
    ['a dead key', press('Dead', { code: 'BracketLeft' }), false, undefined],
    ['what can not be written', press('+', { ctrlKey: true }), false, undefined],
  ]
  it.each(cases)('%s', (_, event, mac, keys) => {
    expect(keysFrom(event, mac)).toBe(keys)
    if (keys !== undefined) expect(fits(event, keys, mac)).toBe(true)
  })
})

describe('keys that were chosen', () => {
  it('hold in place of the usual ones', () => {
    const chosen = withKeys({}, 'help', ['mod+j'])
    expect(keysOf('help', chosen)).toEqual(['mod+j'])
    expect(pressed(press('?'), 'help', chosen)).toBe(false)
    expect(pressed(press('j', { ctrlKey: true }), 'help', chosen)).toBe(true)
    expect(shortKeys('help', chosen, false)).toBe('Ctrl J')
    expect(shortKeys('help', withKeys({}, 'help', []), false)).toBeUndefined()
    expect(keysOf('palette', chosen)).toEqual(['mod+k'])
  })
  it('are forgotten when they are the usual ones again', () => {
    expect(withKeys({ help: ['mod+j'] }, 'help', ['?'])).toEqual({})
  })
  it('know who has them', () => {
    expect(ownersOf('mod+k', 'help', {})).toEqual(['palette'])
    expect(ownersOf('mod+k', 'help', { palette: [] })).toEqual([])
    expect(ownersOf('mod+j', 'palette', { help: ['mod+j'] })).toEqual(['help'])
  })
  it.each([['mod+w', 'browser'], ['mod+shift+n', 'browser'], ['enter', 'page'], ['shift+tab', 'page'], ['arrowup', 'page'], ['mod+arrowup', undefined], ['alt+enter', undefined], ['f5', undefined], ['x', undefined]])(
    'are refused or not: %s', (keys, why) => expect(refusal(keys)).toBe(why),
  )
  it('are read as far as they are some', () => {
    const saved = { help: ['mod+j', 7, 'mod+w', 'nonsense+j', 'mod+', 'mod+mod+j'], palette: [], close: ['q'], nobody: ['x'], 'go.back': 'x', 'run.stop': ['s'] }
    expect(readKeymap(saved)).toEqual({ help: ['mod+j'], palette: [] })
    for (const none of [undefined, null, 7, 'x', []]) expect(readKeymap(none)).toEqual({})
  })
})
