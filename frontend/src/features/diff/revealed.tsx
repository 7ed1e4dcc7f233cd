import { countHidden, reveal, texts } from '@/core'

/** Revealed is a text in which nothing hides: what can't be seen stands there by its code. */
export function Revealed({ text }: { text: string }) {
  return reveal(text).map((stretch, i) =>
    'code' in stretch ? (
      <span key={i} className="mx-px rounded-sm bg-amber-ground px-0.5 text-[0.6875rem] font-semibold text-amber">
        {stretch.code}
      </span>
    ) : (
      stretch.text
    ),
  )
}

/** HiddenNote says that a text has characters that can't be seen; nothing where it has none. */
export function HiddenNote({ text }: { text: string }) {
  const n = countHidden(text)
  return n === 0 ? null : <p className="text-small text-amber">{texts.permission.hidden(n)}</p>
}
