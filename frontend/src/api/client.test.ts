import { describe, expect, it } from 'vitest'
import { Api } from './client'
import { ProblemError } from './problem'

const texts = { offline: 'Not reached.', unreadable: (status: number) => `Status ${status}.` }
const answering = (status: number, body: string, type = 'application/json') => {
  const requests: Request[] = []
  const api = new Api(texts, {
    baseUrl: 'http://127.0.0.1',
    fetch: (request) => {
      requests.push(request)
      return Promise.resolve(new Response(body, { status, headers: { 'Content-Type': type } }))
    },
  })
  return { api, requests }
}

describe('Api', () => {
  it('sends a body as JSON text', async () => {
    const { api, requests } = answering(201, '{"row":{},"runs":[]}')
    await api.post('c1', 'héllo', 'r1')
    const request = requests[0]
    expect(request?.url).toBe('http://127.0.0.1/api/channels/c1/messages')
    expect(request?.headers.get('Content-Type')).toBe('application/json')
    expect(await request?.json()).toEqual({ body: 'héllo', thread_root_id: 'r1' })
  })

  it('escapes what stands in a path', async () => {
    const { api, requests } = answering(200, '{}')
    await api.row('a/b?c')
    expect(requests[0]?.url).toBe('http://127.0.0.1/api/messages/a%2Fb%3Fc')
  })

  it('throws the sentence of the server', async () => {
    const { api } = answering(409, '{"title":"Conflict","status":409,"code":"conflict","detail":"#a is archived. Bring it back first."}', 'application/problem+json')
    const problem = await api.post('c1', 'x').catch((e: unknown) => e)
    expect(problem).toBeInstanceOf(ProblemError)
    expect(problem).toMatchObject({ code: 'conflict', status: 409, message: '#a is archived. Bring it back first.' })
  })

  it.each([
    [502, '<html>', 'internal'],
    [401, '', 'unauthorized'],
    [404, '', 'invalid'],
  ])('has a sentence for an answer of %i that is no problem', async (status, body, code) => {
    const { api } = answering(status, body, 'text/html')
    await expect(api.channels()).rejects.toMatchObject({ code, message: `Status ${status}.` })
  })

  it('says when nothing answers', async () => {
    const api = new Api(texts, { baseUrl: 'http://127.0.0.1', fetch: () => Promise.reject(new TypeError('refused')) })
    await expect(api.channels()).rejects.toMatchObject({ code: 'offline', status: 0, message: 'Not reached.' })
  })

  it('lets an abort be an abort', async () => {
    const api = new Api(texts, { baseUrl: 'http://127.0.0.1', fetch: () => Promise.reject(new DOMException('', 'AbortError')) })
    await expect(api.channels()).rejects.toMatchObject({ name: 'AbortError' })
  })
})
