import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Row } from '@/api'
import { formatFull, problemOf, texts, useHearth } from '@/core'
import { Button, ErrorNote, RelativeTime, Spinner, Tooltip } from '@/ui'

/** Edited marks a row that was changed, and opens what it said before, as far as agents were told it. */
export function Edited({ row, at }: { row: Row; at: string }) {
  const [open, setOpen] = useState(false)
  const list = useId()
  return (
    <>
      <Tooltip content={texts.messages.editedAt(formatFull(at))}>
        <button type="button" aria-expanded={open} aria-controls={open ? list : undefined} onClick={() => setOpen(!open)} className="-mx-1 min-h-6 rounded-sm px-1 text-small text-soft hover:bg-hover">
          {texts.messages.edited}
        </button>
      </Tooltip>
      {open && <Earlier id={list} row={row} at={at} />}
    </>
  )
}

function Earlier({ id, row, at }: { id: string; row: Row; at: string }) {
  const hearth = useHearth()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['versions', row.id, at],
    queryFn: ({ signal }) => hearth.api.versions(row.id, { signal }),
  })
  return (
    <section id={id} aria-label={texts.messages.earlier} className="my-1 rounded-md border border-line bg-side px-3 py-2">
      <p className="text-small text-soft">{data?.length === 0 ? texts.messages.earlierNone : texts.messages.earlierHint}</p>
      {isPending && <Spinner label={texts.messages.earlierLoading} />}
      {error && <ErrorNote action={<Button size="sm" onClick={() => void refetch()}>{texts.common.tryAgain}</Button>}>{problemOf(error).message}</ErrorNote>}
      {data && data.length > 0 && (
        <ol className="divide-y divide-line">
          {data.map((version) => (
            <li key={version.at} className="py-1.5">
              <RelativeTime time={version.at} className="text-small text-soft" />
              <p dir="auto" className="max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere" tabIndex={version.body.length > 600 ? 0 : undefined}>
                {version.body}
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
