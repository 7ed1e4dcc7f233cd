import { afterEach, describe, expect, it, vi } from 'vitest'
import { ProblemError } from './problem'
import { upload } from './upload'

const texts = { offline: 'Not reached.', unreadable: (s: number) => `Status ${s}.` }

/** A request that is answered by the test. */
class Fake {
  static last: Fake
  readonly upload: { onprogress?: (event: { lengthComputable: boolean; loaded: number; total: number }) => void } = {}
  readonly headers: Record<string, string> = {}
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  status = 0
  responseText = ''
  body: unknown
  where = ''
  constructor() {
    Fake.last = this
  }
  open(method: string, url: string) {
    this.where = `${method} ${url}`
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }
  send(body: unknown) {
    this.body = body
  }
  abort() {
    this.onabort?.()
  }
  answer(status: number, text: string) {
    this.status = status
    this.responseText = text
    this.onload?.()
  }
}

describe('upload', () => {
  afterEach(() => vi.unstubAllGlobals())
  const begin = (signal?: AbortSignal) => {
    vi.stubGlobal('XMLHttpRequest', Fake)
    const shares: number[] = []
    const bytes = new ArrayBuffer(4)
    return { done: upload('/api/x', bytes, texts, { onProgress: (s) => shares.push(s), signal }), shares, bytes, request: Fake.last }
  }

  it('sends the raw bytes, says how far it is, and gives what was stored', async () => {
    const { done, shares, bytes, request } = begin()
    expect(request.where).toBe('POST /api/x')
    expect(request.body).toBe(bytes)
    expect(request.headers).toEqual({ 'Content-Type': 'application/octet-stream' })
    request.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 4 })
    request.answer(201, '{"path":"/w/a"}')
    expect(await done).toEqual({ path: '/w/a' })
    expect(shares).toEqual([0.25])
  })

  it.each<[string, (r: Fake) => void, string]>([
    ['a refusal', (r) => r.answer(413, '{"code":"too_large","detail":"25 MB at most.","status":413,"title":""}'), '25 MB at most.'],
    ['no JSON', (r) => r.answer(502, '<html>'), 'Status 502.'],
    ['no answer', (r) => r.onerror?.(), 'Not reached.'],
  ])('throws a problem: %s', async (_, happen, message) => {
    const { done, request } = begin()
    happen(request)
    const error = await done.catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ProblemError)
    expect((error as ProblemError).message).toBe(message)
  })

  it('can be given up', async () => {
    const abort = new AbortController()
    const { done } = begin(abort.signal)
    abort.abort()
    await expect(done).rejects.toMatchObject({ name: 'AbortError' })
  })
})
