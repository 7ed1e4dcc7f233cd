import { useState } from 'react'
import { texts, type Item } from '@/core'

/** How much of a message is read out, in characters; the rest is a key away. */
const saidAtMost = 500

/** Announcer says to screen readers what arrives: whole messages, once, and nothing of text that is still being written. */
export function Announcer({ items }: { items: readonly Item[] }) {
  const [opened] = useState(() => Date.now())
  // What older and newer pages bring was not written just now.
  const last = items.findLast((item) => item.kind === 'row' && item.row.note !== 'interim')
  const row = last?.kind === 'row' && last.row.handle !== '' && Date.parse(last.row.created_at) > opened ? last.row : undefined
  return (
    <div role="log" aria-live="polite" aria-relevant="additions" className="sr-only">
      {row && <p key={row.id}>{texts.messages.said(row.handle, row.body.slice(0, saidAtMost))}</p>}
    </div>
  )
}
