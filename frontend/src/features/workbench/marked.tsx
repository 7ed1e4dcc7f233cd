import { visible } from '@/core'

/** places are where a text is found in another, whatever its case: pairs of begin and end. */
export function places(text: string, sought: string): (readonly [number, number])[] {
  if (sought === '') return []
  const here = text.toLowerCase()
  const what = sought.toLowerCase()
  if (here.length !== text.length || what === '') return [] // its places are not those of the text
  const out: (readonly [number, number])[] = []
  for (let at = here.indexOf(what); at >= 0; at = here.indexOf(what, at + what.length)) out.push([at, at + what.length])
  return out
}

/** Marked is a text in which what is sought is marked. */
export function Marked({ text, sought }: { text: string; sought: string }) {
  const found = places(text, sought)
  if (found.length === 0) return visible(text)
  let from = 0
  const parts = found.map(([begin, end]) => {
    const before = text.slice(from, begin)
    from = end
    return (
      <span key={begin}>
        {visible(before)}
        <mark className="rounded-[2px] bg-amber-ground text-text underline decoration-amber decoration-2">{visible(text.slice(begin, end))}</mark>
      </span>
    )
  })
  return (
    <>
      {parts}
      {visible(text.slice(from))}
    </>
  )
}
