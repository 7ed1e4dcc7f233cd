import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { useRef, type KeyboardEvent, type RefObject } from 'react'
import type { WorkbenchMatch } from '@/api'
import { formatCount, problemOf, texts, useHearth } from '@/core'
import { ErrorNote, IconButton, Skeleton } from '@/ui'
import { Marked } from './marked'
import { fileLink } from './use-open'
import { entryKey } from './tree'

/** How many places are found at most. */
const most = 200

export function FindField({ value, onChange, field, onDown }: { value: string; onChange: (text: string) => void; field: RefObject<HTMLInputElement | null>; onDown: () => void }) {
  return (
    <div className="relative m-2 min-w-0 flex-1">
      <Search size={14} aria-hidden className="pointer-events-none absolute top-2 left-2 text-soft" />
      <input
        ref={field}
        type="search"
        aria-label={texts.workbench.find}
        placeholder={texts.workbench.find}
        value={value}
        maxLength={1000}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            onDown()
          }
          if (event.key === 'Escape' && value !== '') {
            event.preventDefault()
            event.stopPropagation()
            onChange('')
          }
        }}
        className="h-7.5 w-full rounded-md border border-edge bg-ground ps-7 pe-7 [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== '' && (
        <IconButton
          label={texts.workbench.clear}
          size="sm"
          className="absolute top-[3px] right-1"
          onClick={() => {
            onChange('')
            field.current?.focus()
          }}
        >
          <X size={14} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}

/** useFound is what is found in the names and contents of a channel's workbenches. */
export function useFound(channelId: string, sought: string) {
  const { api } = useHearth()
  return useQuery({
    queryKey: ['workbench', channelId, 'find', sought],
    enabled: sought !== '',
    queryFn: ({ signal }) => api.findInWorkbench(channelId, sought, most, { signal }),
    placeholderData: (last) => (sought === '' ? undefined : last),
    gcTime: 10_000,
    retry: false,
  })
}

export interface FoundProps {
  found: ReturnType<typeof useFound>
  sought: string
  /** Workbenches have to be named: there are several. */
  several: boolean
  /** Arrow up from the first. */
  onTop: () => void
}

/** Found is what was found, file by file. Arrow keys move in it. */
export function Found({ found, sought, several, onTop }: FoundProps) {
  const { channel = '' } = useParams({ strict: false })
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = links.findIndex((a) => a === document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key]
    if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (to < 0) onTop()
    else links[to]?.focus()
  }
  const { data } = found
  const groups = groupsOf(data?.matches ?? [])
  return (
    <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
      <p role="status" className="px-1 text-small text-soft">
        {data && (data.matches.length === 0 ? texts.workbench.foundNone : texts.workbench.found(data.matches.length, data.more))}
      </p>
      {found.isError ? <ErrorNote>{problemOf(found.error).message}</ErrorNote> : !data && <Skeleton lines={4} className="p-2" />}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the links in it */}
      <div ref={list} id="workbench-found" onKeyDown={onKeyDown}>
        {groups.map((group) => {
          const [first] = group
          if (!first) return null
          const bench = several ? first.bench : undefined
          return (
            <section key={first.bench + entryKey(first)} aria-label={first.shown} className="mt-2">
              <Link {...fileLink(channel, first, { bench })} className="block truncate rounded-sm px-1 font-medium hover:bg-hover aria-[current]:bg-chosen" dir="auto">
                <Marked text={first.shown} sought={sought} />
              </Link>
              {group.filter((match) => match.line > 0).map((match, i) => (
                <Link
                  key={`${match.line}:${i}`}
                  {...fileLink(channel, match, { bench, line: match.line })}
                  aria-label={`${texts.workbench.foundLine(formatCount(match.line))}: ${match.text.replace(colours, '')}`}
                  className="flex items-baseline gap-2 rounded-sm px-1 hover:bg-hover"
                >
                  <span aria-hidden className="min-w-8 shrink-0 text-end text-small text-soft">{formatCount(match.line)}</span>
                  <span className="min-w-0 flex-1 truncate font-mono text-[0.75rem]" dir="auto">
                    <Marked text={match.text.replace(colours, '')} sought={sought} />
                  </span>
                </Link>
              ))}
            </section>
          )
        })}
      </div>
      {data?.more && <p className="mt-3 px-1 text-small text-soft">{texts.workbench.foundMore}</p>}
    </div>
  )
}

/** A terminal's colours, as the server makes them visible. */
const colours = /\u241b\[[\d;:]*m/g

/** groupsOf are matches file by file: those in names come before those in contents, so that one file's may be apart. */
function groupsOf(matches: readonly WorkbenchMatch[]): WorkbenchMatch[][] {
  const groups = new Map<string, WorkbenchMatch[]>()
  for (const match of matches) {
    const key = `${match.bench}\n${entryKey(match)}`
    const group = groups.get(key)
    if (group) group.push(match)
    else groups.set(key, [match])
  }
  return [...groups.values()]
}
