import { formatCount, texts } from '@/core'

/** formatBytes is a number of bytes in short: 940 B, 12 kB, 3.4 MB. */
export function formatBytes(bytes: number): string {
  const { b, kb, mb, gb } = texts.workbench.bytes
  const short = (n: number) => (n < 9.95 ? n.toFixed(1) : formatCount(n))
  if (bytes < 1000) return texts.common.quantity(bytes, b)
  if (bytes < 1_000_000) return texts.common.quantity(Math.round(bytes / 1000), kb)
  return bytes < 1_000_000_000 ? `${short(bytes / 1_000_000)} ${mb}` : `${short(bytes / 1_000_000_000)} ${gb}`
}
