/**
 * Times come as RFC 3339 in UTC, with up to six digits of a second and trailing zeros left out. Neither text nor Date
 * compares them: "…05Z" sorts after "…05.1Z", and Date cuts at the millisecond, within which a channel can hold many rows.
 */
export function compareTimes(a: string, b: string): number {
  const [wholeA, fractionA] = split(a)
  const [wholeB, fractionB] = split(b)
  if (wholeA !== wholeB) return wholeA < wholeB ? -1 : 1
  if (fractionA === fractionB) return 0
  return fractionA < fractionB ? -1 : 1
}

function split(time: string): [string, string] {
  // 2006-01-02T15:04:05 are 19 characters; digits of a fraction compare as text.
  const fraction = time.length > 20 && time[19] === '.' ? time.slice(20, -1).replace(/0+$/, '') : ''
  return [time.slice(0, 19), fraction]
}
