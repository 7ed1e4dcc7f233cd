import { formatMoney, texts, useSelect } from '@/core'

/** SpendNotice warns that most, or all, of what a channel may cost today is spent. */
export function SpendNotice({ channelId }: { channelId: string }) {
  const channel = useSelect((s) => s.channels[channelId])
  if (!channel || (channel.spend_state !== 'warned' && channel.spend_state !== 'asks')) return null
  const say = channel.spend_state === 'asks' ? texts.spend.reached : texts.spend.warned
  return (
    <p role="status" className="px-3 py-1 text-small text-amber">
      {say(formatMoney(channel.spent_today_usd), formatMoney(channel.spend_limit_usd))}
    </p>
  )
}
