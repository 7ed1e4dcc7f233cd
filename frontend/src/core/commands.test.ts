import { describe, expect, it, vi } from 'vitest'
import { commandIds, commandTable, Commands, fits, isBare, keyNames, type KeyPress } from './commands'

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

it('has each key once', () => {
  const keys = commandIds.flatMap((id) => commandTable[id].keys)
  expect(keys.filter((k, i) => keys.indexOf(k) !== i)).toEqual([])
})

it('writes keys as they stand on the keyboard', () => {
  expect(keyNames('mod+shift+f', true)).toEqual(['⌘', '⇧', 'F'])
  expect(keyNames('alt+arrowup', false)).toEqual(['Alt', '↑'])
})

describe('Commands', () => {
  it('asks who registered last, then the one before', () => {
    const commands = new Commands()
    const done: string[] = []
    commands.register('close', () => void done.push('first'))
    const stop = commands.register('close', (about) => {
      done.push('last ' + (about ?? ''))
      return about === 'mine'
    })
    expect(commands.run('close')).toBe(true)
    expect(commands.run('close', 'mine')).toBe(true)
    stop()
    commands.run('close')
    expect(done).toEqual(['last ', 'first', 'last mine', 'first'])
  })
  it('says when nobody could', () => {
    const commands = new Commands()
    expect(commands.run('help')).toBe(false)
    commands.register('help', () => false)
    expect(commands.run('help')).toBe(false)
  })
  it('tells what is available, only when that changes', () => {
    const commands = new Commands()
    const told = vi.fn()
    commands.subscribe(told)
    const stop = commands.register('run.stop', () => undefined)
    const stopToo = commands.register('run.stop', () => undefined)
    commands.register('help', () => undefined)
    expect(commands.available()).toEqual(['help', 'run.stop'])
    expect(told).toHaveBeenCalledTimes(2)
    stop()
    expect(commands.available()).toEqual(['help', 'run.stop'])
    stopToo()
    expect(commands.available()).toEqual(['help'])
  })
})
