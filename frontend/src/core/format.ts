import { locale, texts } from './texts'

/** A narrow space that does not break: between a number and its unit. */
const thin = '\u202f'

const oneDigit = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
const money = new Intl.NumberFormat(locale, dollars)
const smallMoney = new Intl.NumberFormat(locale, { ...dollars, minimumFractionDigits: 0, maximumSignificantDigits: 2 })
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })

/** formatCount writes a whole number with its groups: 12,345. */
export const formatCount = (n: number): string => whole.format(n)

/** formatTenths has one digit behind the point: 3.4. */
export const formatTenths = (n: number): string => oneDigit.format(n)

/** formatTokens is short: 940 as 0.9k, 38,211 as 38.2k, 1,200,000 as 1.2M. Below 100 the number itself. */
export function formatTokens(n: number): string {
  if (n < 100) return whole.format(n)
  if (n < 999_950) return oneDigit.format(n / 1000) + 'k'
  return oneDigit.format(n / 1_000_000) + 'M'
}

/** formatShare takes 0 to 1: 96.4 %. What is not quite all is never written as 100. */
export const formatShare = (n: number): string => oneDigit.format(n < 1 ? Math.min(n * 100, 99.9) : 100) + thin + '%'

/** formatMoney is in US dollars: cents from a cent on, below that the first two digits that say something. */
export function formatMoney(usd: number): string {
  return (usd >= 0.01 ? money : smallMoney).format(usd)
}

/** formatMemory takes bytes: 12 MiB, 1.4 GiB. */
export function formatMemory(bytes: number): string {
  const mib = bytes / 2 ** 20
  return mib < 1000 ? whole.format(mib) + thin + 'MiB' : oneDigit.format(mib / 1024) + thin + 'GiB'
}

/** formatDuration takes milliseconds: <0.1 s, 0.4 s, 41 s, 2 min 5 s, 1 h 20 min. */
export function formatDuration(ms: number): string {
  const { seconds, minutes, hours } = texts.common
  if (ms < 50) return '<' + seconds(oneDigit.format(0.1))
  if (ms < 950) return seconds(oneDigit.format(ms / 1000))
  const s = Math.round(ms / 1000)
  if (s < 60) return seconds(whole.format(s))
  if (s < 3600) return minutes(whole.format(Math.floor(s / 60))) + (s % 60 ? ' ' + seconds(whole.format(s % 60)) : '')
  const min = Math.floor(s / 60)
  return hours(whole.format(Math.floor(min / 60))) + (min % 60 ? ' ' + minutes(whole.format(min % 60)) : '')
}

/** compareNames is the order of names in a list. */
export const compareNames = new Intl.Collator(locale).compare

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const dayThisYear = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' })
const dayOtherYear = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
const full = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium', hourCycle: 'h23' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })

export const formatFull = (time: string): string => full.format(new Date(time))
export const formatClock = (time: string): string => clock.format(new Date(time))

const digits = (n: number, width = 2) => String(n).padStart(width, '0')

/** writtenDay is a day where the person is, as people write it: 2026-11-01. */
export const writtenDay = (day: Date): string => `${digits(day.getFullYear(), 4)}-${digits(day.getMonth() + 1)}-${digits(day.getDate())}`

/** formatStamp is a time to the second, as logs have it: 2026-01-02 03:04:05, where the person is. */
export function formatStamp(time: string): string {
  const at = new Date(time)
  return `${writtenDay(at)} ${digits(at.getHours())}:${digits(at.getMinutes())}:${digits(at.getSeconds())}`
}

/** daysBetween counts midnights, where the person is. */
function daysBetween(time: Date, now: Date): number {
  const midnight = (d: Date) => Date.UTC(d.getFullYear(), d.getMonth(), d.getDate())
  return Math.round((midnight(now) - midnight(time)) / 86_400_000)
}

/** formatDay names a day: today, yesterday, Mon, 5 Jan. */
export function formatDay(time: string, now: Date): string {
  const at = new Date(time)
  const days = daysBetween(at, now)
  if (days === 0 || days === 1) {
    const word = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day')
    return word.charAt(0).toLocaleUpperCase(locale) + word.slice(1)
  }
  return (at.getFullYear() === now.getFullYear() ? dayThisYear : dayOtherYear).format(at)
}

/** formatRelative is short: now, 5 min ago, and from an hour on the clock; on other days the day goes before it. */
export function formatRelative(time: string, now: Date): string {
  const at = new Date(time)
  const seconds = (now.getTime() - at.getTime()) / 1000
  if (seconds < 45) return relative.format(0, 'second')
  if (seconds < 3600) return relative.format(-Math.max(1, Math.round(seconds / 60)), 'minute')
  return daysBetween(at, now) === 0 ? clock.format(at) : texts.common.at(formatDay(time, now), clock.format(at))
}
