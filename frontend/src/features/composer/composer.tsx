import { Paperclip, SendHorizontal, X } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { mayBeTold, onMac, placeKey, pressed, problemOf, settle, texts, useHearth, useSelect, type PlaceId } from '@/core'
import { useMentions } from '@/features/mention'
import { cx, IconButton, useToast } from '@/ui'
import { AttachmentList } from './attachment-list'
import { useAttachments, withAttachments } from './attachments'
import { useComposing } from './composing'
import { pastedFiles, useDrop } from './drop'
import { lastOwn } from './last-own'
import { longest, nearLimit, scalars } from './limit'
import type { Meant } from './client-commands'
import { Notices } from './notices'
import { SpendNotice } from './spend-notice'
import { Recipients, useRecipients } from './recipients'
import { useSlash } from './use-slash'

export interface ComposerProps {
  place: PlaceId
  /** Where it writes to, in words: #backend, the thread. */
  where: string
  placeholder: string
  /** It takes the focus when it appears. */
  focus?: boolean
}

/**
 * Composer writes messages. What is typed is kept per place until it is sent, files are sent ahead and named in the text, and
 * nothing is sent while an input method is composing, while it would reach too many, or while Hearth is not there.
 */
export function Composer({ place, where, placeholder, focus = false }: ComposerProps) {
  const hearth = useHearth()
  const toast = useToast()
  const key = placeKey(place)
  const text = useSelect((s) => s.drafts[key] ?? '')
  const enterSends = useSelect((s) => s.preferences.enterSends)
  const offline = useSelect((s) => s.connection === 'lost')
  const hintId = useId()
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const caret = useRef<number | undefined>(undefined)
  const { isComposing, onCompositionEnd } = useComposing()
  const [problem, setProblem] = useState<string>()
  const [editing, setEditing] = useState<{ rowId: string; before: string }>()
  const mayKnow = useSelect((s) => {
    const row = editing && s.rows[editing.rowId]
    return row !== undefined && mayBeTold(s, row)
  })
  const { list: files, store: attachments } = useAttachments(key)

  const write = (value: string, at?: number) => {
    caret.current = at
    setProblem(undefined)
    hearth.store.dispatch({ type: 'draft', place, text: value })
  }
  const mentions = useMentions({ channelId: place.channelId, input: field, text, onComplete: write })
  const slash = useSlash({ channelId: place.channelId, input: field, onComplete: (value) => write(value, value.length) })
  const completing = slash.input['aria-controls'] ? slash : mentions
  const recipients = useRecipients(place.channelId, text)
  const attach = (all: readonly File[]) => attachments.add(key, place.channelId, all)
  const over = useDrop(form, attach)

  useLayoutEffect(() => {
    fit(field.current)
    if (caret.current === undefined) return
    field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }, [text])
  useEffect(() => {
    if (focus) field.current?.focus()
  }, [focus, key])

  const body = withAttachments(text, files)
  const left = longest - scalars(body)
  const stuck = files.some((f) => f.state === 'failed') ? texts.composer.notAttached : files.some((f) => f.state !== 'done') ? texts.composer.notYet : undefined
  const sendable = body !== '' && left >= 0 && !recipients.tooMany && !stuck && !offline

  const post = async (command?: Meant) => {
    write('')
    attachments.clear(key)
    // What was put off comes before it: an agent that is to forget, and rows that it is not to be told.
    const { leaving, rows } = hearth.store.get()
    const gone = Object.keys(leaving).filter((id) => rows[id]?.channel_id === place.channelId)
    await settle(hearth, [...[...recipients.agents, ...(command ? [command.agent] : [])].map((a) => a.binding.id), ...gone])
    await hearth.post(place, command ? withAttachments(command.body, files) : body)
  }
  const saveEdit = async (rowId: string) => {
    try {
      if (await hearth.editRow(rowId, body)) toast({ message: texts.messages.editedTold, duration: 6000 })
      endEdit()
    } catch (error) {
      setEditing(undefined)
      setProblem(`${problemOf(error).message} ${texts.composer.tooLate}`)
    }
  }
  const endEdit = () => {
    if (!editing) return
    write(editing.before, editing.before.length)
    setEditing(undefined)
  }
  const send = () => {
    if (stuck && body !== '') setProblem(stuck)
    if (!sendable) return
    const done = slash.run(text)
    if (typeof done === 'string') setProblem(done)
    else if (done === true) write('')
    else void (editing ? saveEdit(editing.rowId) : post(done || undefined))
  }
  /** Takes the last message up again, to change it. */
  const takeUp = (): boolean => {
    const last = lastOwn(hearth.store.get(), place)
    if (!last || editing) return false
    setEditing({ rowId: last.id, before: text })
    write(last.body, last.body.length)
    return true
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return
    if (completing.onKeyDown(event)) return
    if (event.key === 'Escape' && editing) {
      event.preventDefault()
      event.stopPropagation()
      endEdit()
    }
    if (pressed(event, 'composer.editLast', hearth.store.get().preferences.keys) && takeUp()) event.preventDefault()
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    if (!enterSends && !event.metaKey && !event.ctrlKey) return
    event.preventDefault()
    send()
  }
  const look = () => {
    mentions.look()
    slash.look()
  }
  return (
    <form
      ref={form}
      aria-label={texts.composer.label(where)}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      className={cx('relative rounded-lg border bg-raised transition-colors focus-within:border-accent', over ? 'border-accent' : 'border-edge')}
    >
      {mentions.popup}
      {slash.popup}
      {over && (
        <div aria-hidden className="pointer-events-none absolute inset-0 z-10 grid place-items-center rounded-lg bg-accent-ground font-medium text-accent">
          {texts.composer.drop}
        </div>
      )}
      {editing && (
        <div className="flex items-center gap-2 border-b border-line py-1 pr-1 pl-3 text-small text-soft">
          <p className="min-w-0 flex-1 truncate" role="status">
            {texts.composer.editing}
            {mayKnow && ` ${texts.messages.editToldHint}`}
          </p>
          <IconButton size="sm" label={texts.common.cancel} keys="Esc" onClick={endEdit}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      )}
      <AttachmentList place={key} channelId={place.channelId} list={files} store={attachments} onEmpty={() => field.current?.focus()} />
      <textarea
        ref={field}
        value={text}
        rows={1}
        dir="auto"
        placeholder={placeholder}
        aria-label={texts.composer.label(where)}
        aria-describedby={hintId}
        {...completing.input}
        onChange={(event) => {
          write(event.target.value)
          look()
        }}
        onSelect={look}
        onBlur={() => {
          mentions.close()
          slash.close()
        }}
        onKeyDown={onKeyDown}
        onCompositionEnd={onCompositionEnd}
        onPaste={(event) => {
          const pasted = pastedFiles(event.clipboardData)
          if (pasted.length === 0) return
          event.preventDefault()
          attach(pasted)
        }}
        className="block max-h-[40vh] min-h-8 [@media(max-height:30rem)]:max-h-[25vh] w-full resize-none bg-transparent px-3 pt-2 pb-0.5 outline-none"
      />
      <SpendNotice channelId={place.channelId} />
      <Notices
        problem={problem}
        tooMany={recipients.tooMany}
        over={Math.max(0, -left)}
        offline={offline && body !== ''}
        onAsFile={() => {
          attach([new File([text], texts.composer.pastedName, { type: 'text/markdown' })])
          write('')
        }}
      />
      <div className="flex items-center gap-1 px-1 pb-1">
        <IconButton size="sm" label={texts.composer.attach} onClick={() => picker.current?.click()}>
          <Paperclip size={15} aria-hidden />
        </IconButton>
        <div className="flex min-w-0 flex-1 items-center">
          <Recipients recipients={recipients} quiet={text.trimStart().startsWith('/') || completing.input['aria-controls'] !== undefined} />
        </div>
        <p id={hintId} className="sr-only">
          {enterSends ? texts.composer.hintEnter : texts.composer.hintMod(onMac ? '⌘' : 'Ctrl')}
        </p>
        {left >= 0 && left < nearLimit && <p className="shrink-0 text-small text-soft" role="status">{texts.composer.left(left)}</p>}
        <IconButton
          size="sm"
          label={editing ? texts.composer.save : texts.composer.send}
          keys={enterSends ? '⏎' : onMac ? '⌘⏎' : 'Ctrl ⏎'}
          type="submit"
          disabled={!sendable}
          className="enabled:bg-accent enabled:text-on-accent enabled:hover:brightness-110"
        >
          <SendHorizontal size={15} aria-hidden />
        </IconButton>
      </div>
      <input
        ref={picker}
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden
        className="hidden"
        onChange={(event) => {
          attach(Array.from(event.target.files ?? []))
          event.target.value = '' // the same file can be chosen again
          field.current?.focus()
        }}
      />
    </form>
  )
}

/** fit makes the field as high as its text. */
function fit(field: HTMLTextAreaElement | null): void {
  if (!field) return
  field.style.height = 'auto'
  field.style.height = field.scrollHeight + 'px'
}
