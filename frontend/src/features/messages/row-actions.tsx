import { Copy, Link2, MessageSquareReply, Pencil, Undo2 } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import type { Row } from '@/api'
import { canEdit, placeKey, problemOf, texts, useHearth, useSelect, useShortKeys } from '@/core'
import { IconButton, useToast } from '@/ui'

/** useRowActions is what can be done with a row. `channel` is how the channel is named in addresses. */
export function useRowActions(channel: string) {
  const hearth = useHearth()
  const toast = useToast()
  const navigate = useNavigate()
  const copy = (text: string) => {
    navigator.clipboard.writeText(text).then(
      () => toast({ message: texts.common.copied, duration: 2000 }),
      (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' }),
    )
  }
  return {
    openThread: (row: Row) => void navigate({ to: '/c/$channel/t/$root', params: { channel, root: row.id } }),
    copyText: (row: Row) => copy(row.body),
    copyLink: (row: Row) => copy(`${location.origin}/c/${encodeURIComponent(channel)}/m/${row.id}`),
    edit: (row: Row) => hearth.store.dispatch({ type: 'editing', rowId: row.id }),
    takeBack: async (row: Row) => {
      try {
        await hearth.takeBack(row.id)
      } catch (error) {
        toast({ message: problemOf(error).message, tone: 'error' })
        return
      }
      const place = { channelId: row.channel_id, threadRootId: row.thread_root_id || undefined }
      const free = (hearth.store.get().drafts[placeKey(place)] ?? '') === ''
      if (free) hearth.store.dispatch({ type: 'draft', place, text: row.body })
      toast({ message: free ? texts.messages.takenBackToDraft : texts.messages.takenBack, duration: 4000 })
    },
  }
}

/** RowActions are the buttons at a row that is pointed at or chosen. */
export function RowActions({ row, channel, inThread }: { row: Row; channel: string; inThread: boolean }) {
  const actions = useRowActions(channel)
  const editable = useSelect((s) => canEdit(s, row))
  const keysOf = useShortKeys()
  return (
    <div
      role="group"
      aria-label={texts.messages.actions}
      className="absolute -top-3 right-4 z-10 flex rounded-md border border-line bg-raised"
    >
      {!inThread && (
        <IconButton size="sm" label={texts.messages.openThread} keys={keysOf('thread.open')} onClick={() => actions.openThread(row)}>
          <MessageSquareReply size={14} aria-hidden />
        </IconButton>
      )}
      {editable && (
        <>
          <IconButton size="sm" label={texts.messages.edit} keys={keysOf('message.edit')} onClick={() => actions.edit(row)}>
            <Pencil size={14} aria-hidden />
          </IconButton>
          <IconButton size="sm" label={texts.messages.takeBack} onClick={() => void actions.takeBack(row)}>
            <Undo2 size={14} aria-hidden />
          </IconButton>
        </>
      )}
      <IconButton size="sm" label={texts.messages.copyText} keys={keysOf('message.copy')} onClick={() => actions.copyText(row)}>
        <Copy size={14} aria-hidden />
      </IconButton>
      <IconButton size="sm" label={texts.messages.copyLink} keys={keysOf('message.link')} onClick={() => actions.copyLink(row)}>
        <Link2 size={14} aria-hidden />
      </IconButton>
    </div>
  )
}
