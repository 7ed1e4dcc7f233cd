import type { components } from './schema'

type Wire = components['schemas']['Problem']

/** What kind of thing went wrong. `offline` is ours: no answer came at all. */
export type ProblemCode = Wire['code'] | 'offline'

/**
 * A request that was refused or could not be answered. `message` is a sentence for people that ends with what to do: the
 * server's own, wherever there is one.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  constructor(
    readonly code: ProblemCode,
    message: string,
    /** The HTTP status; 0 when no answer came. */
    readonly status: number,
    readonly faults: readonly { location: string; message: string }[] = [],
  ) {
    super(message)
  }
}

/** Sentences for what the server could not say itself. Given by whoever owns the texts. */
export interface ProblemTexts {
  offline: string
  unreadable: (status: number) => string
}

function isProblem(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && 'code' in value && typeof (value as Wire).detail === 'string'
}

/** toProblem makes an error of an answer's body, whatever it is. */
export function toProblem(body: unknown, status: number, texts: ProblemTexts): ProblemError {
  if (isProblem(body)) return new ProblemError(body.code, body.detail, status, body.errors ?? [])
  const code: ProblemCode = status === 401 ? 'unauthorized' : status >= 500 ? 'internal' : 'invalid'
  return new ProblemError(code, texts.unreadable(status), status)
}
