/** dayOf reads a day; undefined when it is none. Signs between the numbers may be any, and zeros may be left out. */
export function dayOf(text: string): Date | undefined {
  const [, year, month, day] = /^\s*(\d{4})\D?(\d{1,2})\D?(\d{1,2})\D?\s*$/.exec(text) ?? []
  if (year === undefined) return undefined
  const at = new Date(Number(year), Number(month) - 1, Number(day))
  return at.getMonth() === Number(month) - 1 && at.getDate() === Number(day) ? at : undefined
}

/** daysBefore is midnight so many days before a moment. */
export const daysBefore = (now: Date, days: number): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
