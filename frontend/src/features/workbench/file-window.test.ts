import { describe, expect, it } from 'vitest'
import type { WorkbenchPiece } from '@/api'
import { rowsOf } from './file-rows'
import { FileWindow, firstBytes, mostBytes, type Fetch } from './file-window'

/** A server with one file: pieces begin and end between characters, as the real one's do. */
function serve(text: string) {
  let bytes = new TextEncoder().encode(text)
  let modified = 'a'
  let requests = 0
  const boundary = (i: number) => {
    while (i > 0 && i < bytes.length && ((bytes[i] ?? 0) & 0xc0) === 0x80) i--
    return i
  }
  const fetch: Fetch = (offset, limit) => {
    requests++
    const from = boundary(offset)
    const to = boundary(Math.min(bytes.length, from + limit))
    const piece = { offset: from, next_offset: to, text: new TextDecoder().decode(bytes.subarray(from, to)), size: bytes.length, modified }
    return Promise.resolve(piece as WorkbenchPiece)
  }
  const first = () => fetch(0, firstBytes, new AbortController().signal)
  return { fetch, first, change: (to: string) => ((bytes = new TextEncoder().encode(to)), (modified += 'a')), requests: () => requests }
}

const lines = (n: number) => Array.from({ length: n }, (_, i) => `line ${i + 1} 안녕\n`).join('')
const rows = (file: FileWindow) => rowsOf(file.get().pieces, file.get().firstLine, false)
const held = (file: FileWindow) => file.end - file.begin

describe('FileWindow', () => {
  it('reads to the end and back, holds a bounded stretch, and numbers every line', async () => {
    const text = lines(150_000) // about 3 MB
    const server = serve(text)
    const file = new FileWindow(server.fetch, await server.first())
    while (file.end < file.get().size) {
      await file.more('down')
      file.cut('down')
      expect(held(file)).toBeLessThanOrEqual(mostBytes)
    }
    const last = rows(file).at(-1)
    expect([last?.line, last?.text]).toEqual([150_000, 'line 150000 안녕'])
    while (file.begin > 0) {
      await file.more('up')
      file.cut('up')
      expect(held(file)).toBeLessThanOrEqual(mostBytes)
    }
    const first = rows(file)[0]
    expect([first?.line, first?.text]).toEqual([1, 'line 1 안녕'])
    expect(rows(file).slice(0, -1).filter((row) => row.text !== `line ${row.line ?? 0} 안녕`)).toEqual([])
  })
  it('jumps, without a number until it knows one', async () => {
    const server = serve(lines(400_000))
    const file = new FileWindow(server.fetch, await server.first())
    await file.jump(3_000_001)
    expect(file.get()).toMatchObject({ firstLine: undefined, goal: { to: { at: 3_000_001 } } })
    expect(rows(file)[1]?.text).toMatch(/^line \d+ 안녕$/)
    await file.jump(file.get().size)
    expect(file.end).toBe(file.get().size)
    expect(rows(file).at(-1)?.text).toBe('line 400000 안녕')
  })
  it('finds a line by reading up to it, and from what it read before', async () => {
    const server = serve(lines(400_000))
    const file = new FileWindow(server.fetch, await server.first())
    await file.goToLine(350_000)
    expect(file.get().goal?.to).toEqual({ line: 350_000 })
    expect(rows(file).find((row) => row.line === 350_000)?.text).toBe('line 350000 안녕')
    const before = server.requests()
    await file.goToLine(200_000)
    expect(server.requests() - before).toBe(1)
    expect(rows(file).find((row) => row.line === 200_000)?.text).toBe('line 200000 안녕')
    await file.goToLine(1_000_000)
    expect(file.get()).toMatchObject({ lastLine: 400_000, goal: { to: { line: 400_000 } } })
  })
  it('takes what was written at the end, and says of other changes', async () => {
    const text = lines(100_000)
    const server = serve(text)
    const file = new FileWindow(server.fetch, await server.first())
    server.change(text + 'more\n')
    file.take(await server.first())
    expect(file.get()).toMatchObject({ changed: false, size: new TextEncoder().encode(text).length + 5 })
    server.change('X' + text)
    file.take(await server.first())
    expect(file.get().changed).toBe(true)
    file.restart(await server.first())
    expect(file.get().changed).toBe(false)
    expect(rows(file)[0]?.text).toBe('Xline 1 안녕')
  })
  it('shows a small file anew whenever it is another', async () => {
    const server = serve('a\n')
    const file = new FileWindow(server.fetch, await server.first())
    server.change('b\n')
    file.take(await server.first())
    expect(rows(file).map((row) => row.text)).toEqual(['b'])
  })
  it('says what went wrong, and goes on when it is tried again', async () => {
    const server = serve(lines(100_000))
    let down = true
    const file = new FileWindow((...a) => (down ? Promise.reject(new Error('gone')) : server.fetch(...a)), await server.first())
    await file.more('down')
    expect(file.get()).toMatchObject({ error: new Error('gone'), busy: undefined })
    down = false
    file.retry()
    await file.more('down')
    expect(file.get().pieces).toHaveLength(2)
  })
})
