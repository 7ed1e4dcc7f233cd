/** What an address says of a file besides its path: see the links in use-open.ts. */
export interface FileSearch {
  /** The workbench, where the channel has several and it is not the first that has such a file. */
  bench?: string
  /** The path's bytes in base64url, where they are no UTF-8: the path can only come near them. */
  bytes?: string
  /** The line that is shown, from 1. */
  line?: number
}

/** What an address says of the list besides. */
export interface ListSearch {
  /** What was deleted is listed. */
  deleted?: true
}

export const listSearch = ({ deleted }: Record<string, unknown>): ListSearch => (deleted === true ? { deleted } : {})

/** fileSearch takes what fits from an address; anything else is as if it were not there. */
export function fileSearch(search: Record<string, unknown>): FileSearch {
  const { bench, bytes, line } = search
  return {
    ...(typeof bench === 'string' && bench !== '' ? { bench } : {}),
    // What looks like a number was read as one.
    ...((typeof bytes === 'string' && bytes !== '') || typeof bytes === 'number' ? { bytes: String(bytes) } : {}),
    ...(typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? { line } : {}),
  }
}
