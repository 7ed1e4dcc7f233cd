import { useNavigate } from '@tanstack/react-router'
import type { Channel, Run } from '@/api'
import { addressOf, compareTimes, hasEnded, problemOf, useCommand, useHearth, useSelect, type State } from '@/core'
import { AgentCommands } from '@/features/roster'
import { useToast } from '@/ui'

/** ChannelCommands does what is meant for the open channel, wherever in it the person is. Features add theirs here. */
export function ChannelCommands({ channel }: { channel: Channel }) {
  const navigate = useNavigate()
  const hearth = useHearth()
  const toast = useToast()
  const say = (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' })
  // Without a certain one: the turn that began last, or the last one that came to nothing.
  const going = useSelect((s) => newestRun(s, channel.id, (r) => !hasEnded(r)))
  const failed = useSelect((s) => newestRun(s, channel.id, (r) => r.state === 'failed' || r.state === 'stopped'))
  useCommand('run.stop', (about) => void hearth.stopRun(about ?? going ?? '').catch(say), going !== undefined)
  useCommand('run.retry', (about) => void hearth.retryRun(about ?? failed ?? '').catch(say), failed !== undefined)
  const params = { channel: addressOf(channel) }
  useCommand('detail.roster', () => void navigate({ to: '/c/$channel/roster', params }))
  useCommand('detail.context', () => void navigate({ to: '/c/$channel/context', params }))
  useCommand('detail.cache', () => void navigate({ to: '/c/$channel/cache', params }))
  useCommand('detail.workbench', () => void navigate({ to: '/c/$channel/workbench', params }))
  useCommand('detail.settings', () => void navigate({ to: '/c/$channel/settings', params }))
  useCommand('go.chat', () => {
    // One frame later what was put into it is there, and a dialog that was open has given the focus back.
    requestAnimationFrame(() => {
      const field = document.querySelector<HTMLElement>('main form textarea, main form [role="textbox"], main form [contenteditable]')
      field?.focus()
      if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.value.length, field.value.length)
    })
  })
  // The last that Escape does: it leaves what is being written, so that the bare keys work.
  useCommand('close', () => {
    const { activeElement } = document
    if (!(activeElement instanceof HTMLElement) || !activeElement.closest('form')) return false
    const list = document.querySelector<HTMLElement>('#messages [tabindex="0"]') ?? document.getElementById('messages')
    list?.focus()
    return true
  })
  return <AgentCommands channelId={channel.id} />
}

function newestRun(state: State, channelId: string, fits: (run: Run) => boolean): string | undefined {
  let newest: Run | undefined
  for (const run of Object.values(state.runs)) {
    if (run.channel_id === channelId && fits(run) && (!newest || compareTimes(run.queued_at, newest.queued_at) > 0)) newest = run
  }
  return newest?.id
}
