import type { Row } from '@/api'
import { hasEnded, placeKey, type PlaceId, type State } from '@/core'

/** A row of the owner's that is last in a place, and whether it can still be changed: all it caused is in a queue. */
export interface LastOwn {
  row: Row
  editable: boolean
}

export function lastOwn(state: State, place: PlaceId): LastOwn | undefined {
  const held = state.places[placeKey(place)]
  const id = held?.ids.findLast((rowId) => {
    const row = state.rows[rowId]
    return row?.kind === 'user' && row.handle === ''
  })
  const row = id === undefined ? undefined : state.rows[id]
  if (!row) return undefined
  const runs = Object.values(state.runs).filter((run) => run.row_id === row.id)
  return { row, editable: runs.length > 0 && runs.every((run) => !hasEnded(run) && run.state !== 'running') }
}
