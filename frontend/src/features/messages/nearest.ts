interface Keyed {
  key: string
}

/** nearest is the place, in a list as it is now, of what had a key in it as it was: itself, or else its next neighbour, or else the one before. -1: there is none. */
export function nearest(was: readonly Keyed[], is: readonly Keyed[], key: string): number {
  const place = new Map(is.map((item, i) => [item.key, i]))
  const at = was.findIndex((item) => item.key === key)
  const near = at < 0 ? [] : [...was.slice(at), ...was.slice(0, at).toReversed()]
  return place.get(key) ?? near.map((item) => place.get(item.key)).find((i) => i !== undefined) ?? -1
}
