import { formatCount, formatTenths, texts } from '@/core'

/** formatBytes is a number of bytes in short: 940 B, 12 kB, 3.4 MB. */
export function formatBytes(bytes: number): string {
  const { b, kb, mb, gb } = texts.workbench.bytes
  const short = (n: number) => (n < 9.95 ? formatTenths(n) : formatCount(n))
  if (bytes < 1000) return texts.common.quantity(formatCount(bytes), b)
  if (bytes < 1_000_000) return texts.common.quantity(formatCount(Math.round(bytes / 1000)), kb)
  return bytes < 1_000_000_000 ? texts.common.quantity(short(bytes / 1_000_000), mb) : texts.common.quantity(short(bytes / 1_000_000_000), gb)
}
