import { Copy, Link2, MessageSquareReply, Pencil, Trash2, Undo2 } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import type { Row } from '@/api'
import { canEdit, mayBeTold, placeKey, problemOf, putOff, rowPath, texts, useHearth, useSelect, useShortKeys } from '@/core'
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
    copyLink: (row: Row) => copy(location.origin + rowPath(channel, row)),
    edit: (row: Row) => hearth.store.dispatch({ type: 'editing', rowId: row.id }),
    /** Deletes what agents may have been told, unless Undo is pressed. */
    remove: (row: Row) => {
      const leaving = (now: boolean) => hearth.store.dispatch({ type: 'leaving', rowId: row.id, leaving: now })
      const putsOff = putOff(hearth, {
        id: row.id,
        show: (options) => toast({ message: texts.messages.deletedTold, ...options }),
        act: async () => {
          await hearth.deleteRow(row.id).catch((error: unknown) => toast({ message: problemOf(error).message, tone: 'error' }))
          leaving(false)
        },
        undone: () => leaving(false),
      })
      if (putsOff) leaving(true)
    },
    takeBack: async (row: Row) => {
      try {
        // Agents were told it after all: it keeps its place, and a copy of its text would be no taking back.
        if (!(await hearth.deleteRow(row.id))) {
          toast({ message: texts.messages.deletedTold, duration: 4000 })
          return
        }
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
  const told = useSelect((s) => mayBeTold(s, row))
  const gone = useSelect((s) => Boolean(row.deleted_at) || row.id in s.leaving)
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
          {told ? (
            <IconButton size="sm" label={texts.messages.delete} onClick={() => actions.remove(row)}>
              <Trash2 size={14} aria-hidden />
            </IconButton>
          ) : (
            <IconButton size="sm" label={texts.messages.takeBack} onClick={() => void actions.takeBack(row)}>
              <Undo2 size={14} aria-hidden />
            </IconButton>
          )}
        </>
      )}
      {!gone && (
        <IconButton size="sm" label={texts.messages.copyText} keys={keysOf('message.copy')} onClick={() => actions.copyText(row)}>
          <Copy size={14} aria-hidden />
        </IconButton>
      )}
      <IconButton size="sm" label={texts.messages.copyLink} keys={keysOf('message.link')} onClick={() => actions.copyLink(row)}>
        <Link2 size={14} aria-hidden />
      </IconButton>
    </div>
  )
}
