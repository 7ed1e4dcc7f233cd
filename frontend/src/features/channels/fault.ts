import { ProblemError } from '@/api'

/** faultOf is what the server found wrong with one field of what was sent. */
export const faultOf = (error: unknown, field: string): string | undefined =>
  error instanceof ProblemError ? error.faults.find((f) => f.location === 'body.' + field)?.message : undefined
