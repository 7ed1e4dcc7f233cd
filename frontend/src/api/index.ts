/**
 * The HTTP API, typed by the server's own description (schema.d.ts, made by `npm run generate`; never edit it by hand).
 */
export {
  Api, type CacheQuery, type CallOptions, type RowsPage, type RowsQuery, type WorkbenchFileName, type WorkbenchPieceQuery,
} from './client'
export { Events, parseId, type EventsOptions, type Source, type StreamEvent } from './events'
export { openEvents, type SharedOptions } from './shared'
export { ProblemError, type ProblemCode, type ProblemTexts } from './problem'
export * from './types'
export type { StoredFile, UploadOptions } from './upload'
