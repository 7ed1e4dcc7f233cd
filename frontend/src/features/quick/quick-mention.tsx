import { useMutation } from '@tanstack/react-query'
import { useId, useMemo, useState, type KeyboardEvent, type SubmitEvent } from 'react'
import { nameOf, onMac, problemOf, selectChannels, settle, texts, useHearth, useSelect } from '@/core'
import { longest, scalars, useComposing } from '@/features/composer'
import { Button, Dialog, EmptyState, ErrorNote, TextArea, useToast } from '@/ui'
import { addressed, everyone } from './to'

/** What is typed is kept like a draft of a channel's, under a name that no channel has. */
const draft = 'quick-mention'

/** QuickMention writes to one agent, without going to its channel: to whom (the last one, unless another is chosen), and what. */
export default function QuickMention({ channelId, onClose }: { channelId: string | undefined; onClose: () => void }) {
  const hearth = useHearth()
  const toast = useToast()
  const form = useId()
  const id = useId()
  const { shared, direct } = useSelect(selectChannels)
  const bindings = useSelect((s) => s.bindings)
  const loaded = useSelect((s) => s.channelsLoaded)
  const last = useSelect((s) => s.preferences.mentioned)
  const text = useSelect((s) => s.drafts[draft] ?? '')
  const enterSends = useSelect((s) => s.preferences.enterSends)
  const [chosen, setChosen] = useState<string>()
  const { isComposing, onCompositionEnd } = useComposing()
  const channels = useMemo(() => [...shared, ...direct], [shared, direct])
  const all = useMemo(() => everyone(channels, bindings, channelId), [channels, bindings, channelId])
  const to = all.find((t) => t.binding.id === (chosen ?? last)) ?? all[0]

  const write = (value: string) => hearth.store.dispatch({ type: 'draft', place: { channelId: draft }, text: value })
  const body = to && text.trim() !== '' ? addressed(to, text) : ''
  const over = Math.max(0, scalars(body) - longest)
  const post = useMutation({
    mutationFn: async () => {
      if (!to) return
      // What was put off for this agent comes before it.
      await settle(hearth, [to.binding.id])
      await hearth.api.post(to.channel.id, body)
      write('')
      hearth.store.dispatch({ type: 'preferences', preferences: { mentioned: to.binding.id } })
      onClose()
      toast({ message: texts.quick.sent(to.binding.handle, nameOf(to.channel)), duration: 4000 })
    },
  })
  const send = () => {
    if (body !== '' && over === 0 && !post.isPending) post.mutate()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event) || event.key !== 'Enter' || event.shiftKey || event.altKey) return
    if (!enterSends && !event.metaKey && !event.ctrlKey) return
    event.preventDefault()
    send()
  }
  if (loaded && all.length === 0) {
    return (
      <Dialog open onOpenChange={onClose} title={texts.quick.title}>
        <EmptyState title={texts.quick.nobody} hint={texts.quick.nobodyHint} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.quick.title}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button tone="main" type="submit" form={form} busy={post.isPending} disabled={body === '' || over > 0}>
            {texts.quick.send}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
          event.preventDefault()
          send()
        }}
        className="flex flex-col gap-4"
      >
        <div className="flex flex-col gap-1">
          <label htmlFor={id} className="font-medium">{texts.quick.to}</label>
          <select id={id} value={to?.binding.id ?? ''} onChange={(event) => setChosen(event.target.value)} className="h-8 w-full rounded-md border border-edge bg-ground px-1.5">
            {all.map(({ binding, channel }) => (
              <option key={binding.id} value={binding.id}>{texts.quick.agent(binding.handle, nameOf(channel))}</option>
            ))}
          </select>
        </div>
        <TextArea
          label={texts.quick.message}
          value={text}
          hint={enterSends ? texts.composer.hintEnter : texts.composer.hintMod(onMac ? '⌘' : 'Ctrl')}
          problem={over > 0 ? texts.quick.tooLong(over) : undefined}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          onCompositionEnd={onCompositionEnd}
        />
        {post.isError && <ErrorNote>{problemOf(post.error).message}</ErrorNote>}
      </form>
    </Dialog>
  )
}
