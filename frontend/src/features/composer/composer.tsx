import { SendHorizontal } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { placeKey, texts, useHearth, useSelect, type PlaceId } from '@/core'
import { useMentions } from '@/features/mention'
import { IconButton } from '@/ui'

export interface ComposerProps {
  place: PlaceId
  /** Where it writes to, in words: #backend, the thread. */
  where: string
  placeholder: string
  /** It takes the focus when it appears. */
  focus?: boolean
}

/** The longest message the server takes, in Unicode characters. */
const longest = 100_000

const mac = /Mac OS|iPhone|iPad/.test(navigator.userAgent)

/** Composer writes messages: what is typed is kept per place until it is sent, and nothing is sent while an input method is composing. */
export function Composer({ place, where, placeholder, focus = false }: ComposerProps) {
  const hearth = useHearth()
  const key = placeKey(place)
  const text = useSelect((s) => s.drafts[key] ?? '')
  const enterSends = useSelect((s) => s.preferences.enterSends)
  const hintId = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const over = text.length > longest ? Math.max(0, Array.from(text).length - longest) : 0
  const sendable = text.trim() !== '' && over === 0

  const write = (value: string) => hearth.store.dispatch({ type: 'draft', place, text: value })
  const caret = useRef<number | undefined>(undefined)
  const mentions = useMentions({
    channelId: place.channelId,
    input: field,
    text,
    onComplete: (value, at) => {
      caret.current = at
      write(value)
    },
  })
  useLayoutEffect(() => {
    fit(field.current)
    if (caret.current === undefined) return
    field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }, [text])
  useEffect(() => {
    if (focus) field.current?.focus()
  }, [focus, key])

  const send = () => {
    if (!sendable) return
    write('')
    void hearth.post(place, text.trim())
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // 229 is what WebKit says of the key that ends a composition; nothing newer says so.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (mentions.onKeyDown(event)) return
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    if (!enterSends && !event.metaKey && !event.ctrlKey) return
    event.preventDefault()
    send()
  }
  const hint = enterSends ? texts.composer.hintEnter : texts.composer.hintMod(mac ? '⌘' : 'Ctrl')
  return (
    <form
      aria-label={texts.composer.label(where)}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      className="relative rounded-lg border border-edge bg-raised transition-colors focus-within:border-accent"
    >
      {mentions.popup}
      <div className="flex items-end gap-1 p-1 pl-3">
        <textarea
          ref={field}
          value={text}
          rows={1}
          dir="auto"
          placeholder={placeholder}
          aria-label={texts.composer.label(where)}
          aria-describedby={hintId}
          {...mentions.input}
          onChange={(event) => {
            write(event.target.value)
            mentions.look()
          }}
          onSelect={mentions.look}
          onBlur={mentions.close}
          onKeyDown={onKeyDown}
          className="max-h-[40vh] min-h-8 flex-1 resize-none bg-transparent py-[5px] outline-none"
        />
        <IconButton label={texts.composer.send} keys={enterSends ? '⏎' : mac ? '⌘⏎' : 'Ctrl ⏎'} type="submit" disabled={!sendable} className="enabled:text-accent">
          <SendHorizontal size={16} aria-hidden />
        </IconButton>
      </div>
      {over > 0 ? (
        <p role="alert" className="px-3 pb-2 text-small text-red">
          {texts.composer.tooLong(over)}
        </p>
      ) : (
        <p id={hintId} className="sr-only">
          {hint}
        </p>
      )}
    </form>
  )
}

/** fit makes the field as high as its text. */
function fit(field: HTMLTextAreaElement | null): void {
  if (!field) return
  field.style.height = 'auto'
  field.style.height = field.scrollHeight + 'px'
}
