import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Row } from '@/api'
import { mayBeTold, problemOf, texts, useHearth, useSelect } from '@/core'
import { Button, ErrorNote, useToast } from '@/ui'

/** EditRow changes the text of the person's own row where it stands. What goes wrong is said there, and what was written is kept. */
export function EditRow({ row }: { row: Row }) {
  const hearth = useHearth()
  const [text, setText] = useState(row.body)
  const field = useRef<HTMLTextAreaElement>(null)
  const hint = useId()
  const done = () => {
    const item = field.current?.closest<HTMLElement>('[data-key]')
    hearth.store.dispatch({ type: 'editing', rowId: '' })
    item?.focus()
  }
  const toast = useToast()
  const mayKnow = useSelect((s) => mayBeTold(s, row))
  const save = useMutation({
    mutationFn: () => hearth.editRow(row.id, text.trim()),
    onSuccess: (told) => {
      if (told) toast({ message: texts.messages.editedTold, duration: 6000 })
      done()
    },
  })
  const ready = text.trim() !== '' && !save.isPending
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(row.body.length, row.body.length)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when it opens
  }, [])
  useLayoutEffect(() => {
    const { current } = field
    if (!current) return
    current.style.height = 'auto'
    current.style.height = `${current.scrollHeight + 2}px`
  }, [text])
  const onKeyDown = (event: KeyboardEvent) => {
    // 229 is what WebKit says of the key that ends a composition; nothing newer says so.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      done()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (text.trim() === row.body) done()
    else if (ready) save.mutate()
  }
  return (
    <form
      className="my-1 flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) save.mutate()
      }}
    >
      <textarea
        ref={field}
        dir="auto"
        rows={1}
        value={text}
        aria-label={texts.messages.editField}
        aria-describedby={hint}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="max-h-[40vh] w-full resize-none rounded-md border border-edge bg-raised px-3 py-1.5 outline-none focus:border-accent"
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" tone="main" type="submit" busy={save.isPending} disabled={!ready}>
          {texts.common.save}
        </Button>
        <Button size="sm" tone="quiet" onClick={done}>
          {texts.common.cancel}
        </Button>
        <span id={hint} className="text-small text-soft">
          {texts.messages.editHint}
          {mayKnow && <> {texts.messages.editToldHint}</>}
        </span>
      </div>
      {save.isError && <ErrorNote>{problemOf(save.error).message}</ErrorNote>}
    </form>
  )
}
