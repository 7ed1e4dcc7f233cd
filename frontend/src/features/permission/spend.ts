import type { Permission } from '@/api'
import { formatMoney, texts } from '@/core'

/** Spending is what a channel has cost today, and its limit, in words. */
export interface Spending {
  spent: string
  limit: string
}

/** spendingOf is what a question about the spending limit says; undefined for every other question. */
export function spendingOf(permission: Permission): Spending | undefined {
  if (permission.tool !== 'spend') return undefined
  const { spent_usd: spent, limit_usd: limit } = (permission.input ?? {}) as { spent_usd?: unknown; limit_usd?: unknown }
  const money = (value: unknown) => formatMoney(typeof value === 'number' && Number.isFinite(value) ? value : 0)
  return { spent: money(spent), limit: money(limit) }
}

/** asksOf is the headline of a question. */
export function asksOf(handle: string, permission: Permission): string {
  return spendingOf(permission) ? texts.spend.asks(handle) : texts.permission.asks(handle, permission.tool)
}
