import { useMutation, useQuery } from '@tanstack/react-query'
import { Pencil, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Run } from '@/api'
import { handleOf, problemOf, texts, useHearth, useSelect } from '@/core'
import { Button, IconButton, useToast } from '@/ui'

/** QueueItem is one message that waits: for whom, what it says, and what can still be done to it. */
export function QueueItem({ run, place, onTaken }: { run: Run; place: number; onTaken: () => void }) {
  const hearth = useHearth()
  const toast = useToast()
  const handle = useSelect((s) => handleOf(s, run.binding_id)) ?? texts.run.ofAgent
  const held = useSelect((s) => s.rows[run.row_id])
  // A row of a thread that is not open, or one further back than what is shown.
  const fetched = useQuery({ queryKey: ['row', run.row_id], queryFn: ({ signal }) => hearth.api.row(run.row_id, { signal }), enabled: !held && run.row_id !== '' })
  const row = held ?? fetched.data
  const [editing, setEditing] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const say = (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' })

  const take = async () => {
    try {
      await hearth.stopRun(run.id)
      toast({ message: texts.queue.removed(handle), duration: 6000, undo: () => void hearth.retryRun(run.id).catch(say) })
    } catch (error) {
      say(error)
    }
  }
  const stopEditing = () => {
    setEditing(false)
    requestAnimationFrame(() => pencil.current?.focus())
  }
  const own = row?.kind === 'user' && row.handle === ''
  if (editing && row) return <li className="p-1"><Edit rowId={row.id} body={row.body} handle={handle} onDone={stopEditing} /></li>
  return (
    <li aria-label={texts.queue.item(place, handle)} className="flex items-center gap-2 rounded-sm pl-1 hover:bg-hover">
      <span aria-hidden className="w-4 shrink-0 text-right text-small text-soft">{place}</span>
      <span className="flex min-w-0 flex-1 items-baseline gap-1.5">
        <span className="max-w-40 shrink-0 truncate font-medium" dir="auto">{handle}</span>
        {row && !own && <span className="shrink-0 text-small text-soft">{texts.queue.from(row.handle)}</span>}
        <span className="truncate text-soft" dir="auto" title={row?.body}>{row?.body ?? (fetched.isError ? texts.queue.unasked : '')}</span>
      </span>
      {own && (
        <IconButton ref={pencil} size="sm" label={texts.queue.edit(place)} onClick={() => setEditing(true)}>
          <Pencil size={13} aria-hidden />
        </IconButton>
      )}
      <IconButton
        size="sm"
        label={texts.queue.remove(place)}
        onClick={(event) => {
          // By keyboard only: where a pointer did it, the focus (and what it explains) would cover Undo.
          if (event.detail === 0) onTaken()
          void take()
        }}
      >
        <X size={14} aria-hidden />
      </IconButton>
    </li>
  )
}

/** Edit changes the text of a message in place. Nothing is saved while an input method is composing. */
function Edit({ rowId, body, handle, onDone }: { rowId: string; body: string; handle: string; onDone: () => void }) {
  const hearth = useHearth()
  const [text, setText] = useState(body)
  const field = useRef<HTMLTextAreaElement>(null)
  const save = useMutation({ mutationFn: () => hearth.api.editRow(rowId, text.trim()), onSuccess: onDone })
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(body.length, body.length)
  }, [body.length])
  useLayoutEffect(() => {
    if (!field.current) return
    field.current.style.height = 'auto'
    field.current.style.height = field.current.scrollHeight + 'px'
  }, [text])
  const done = () => {
    if (text.trim() === body) onDone()
    else if (text.trim() !== '') save.mutate()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Nothing newer than keyCode says 229.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onDone()
    } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      done()
    }
  }
  return (
    <form
      className="flex flex-col gap-1"
      onSubmit={(event) => {
        event.preventDefault()
        done()
      }}
    >
      <div className="flex items-end gap-1">
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          value={text}
          aria-label={`${texts.queue.field}, ${handle}. ${texts.queue.hint}`}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          className="max-h-32 min-h-7 min-w-0 flex-1 resize-none rounded-md border border-edge bg-ground px-2 py-0.5"
        />
        <Button size="sm" tone="main" type="submit" busy={save.isPending} disabled={text.trim() === ''}>{texts.common.save}</Button>
        <Button size="sm" tone="quiet" onClick={onDone}>{texts.common.cancel}</Button>
      </div>
      {save.isError && <p role="alert" className="text-small text-red">{problemOf(save.error).message}</p>}
    </form>
  )
}
