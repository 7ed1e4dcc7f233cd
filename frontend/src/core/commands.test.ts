import { describe, expect, it, vi } from 'vitest'
import { commandIds, commandTable, Commands } from './commands'

it('has each key once', () => {
  const keys = commandIds.flatMap((id) => commandTable[id].keys)
  expect(keys.filter((k, i) => keys.indexOf(k) !== i)).toEqual([])
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
