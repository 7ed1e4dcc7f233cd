import type { Row } from '@/api'
import { canEdit, placeKey, type PlaceId, type State } from '@/core'

/** lastOwn is the newest row of a place that the person can still change. */
export function lastOwn(state: State, place: PlaceId): Row | undefined {
  const id = state.places[placeKey(place)]?.ids.findLast((rowId) => {
    const row = state.rows[rowId]
    return row !== undefined && canEdit(state, row)
  })
  return id === undefined ? undefined : state.rows[id]
}
