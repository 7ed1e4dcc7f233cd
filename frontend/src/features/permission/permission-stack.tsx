import { useCallback, useRef, useState } from 'react'
import type { Permission } from '@/api'
import { handleOf, plain, selectOpenPermissions, texts, useCommand, useHearth, useSelect, useSelector } from '@/core'
import { Dot, useFocusLost } from '@/ui'
import { AnsweredLine } from './answered-line'
import { PermissionCard } from './permission-card'
import { Revealed } from '@/features/diff'
import { asksOf, spendingOf } from './spend'
import { SpendCard } from './spend-card'
import { shortOf } from './wanted-of'

export interface PermissionStackProps {
  channelId: string
}

const none: readonly string[] = []

const markOf = (element: Element) => element.closest<HTMLElement>('[data-permission]')?.dataset.permission

/**
 * PermissionStack is what the agents of a channel ask: the oldest question open, the others one line each, and what was answered
 * while one looked, in a line that goes by itself. It never takes the focus, and says aloud when somebody asks.
 */
export function PermissionStack({ channelId }: PermissionStackProps) {
  const hearth = useHearth()
  const open = useSelector(selectOpenPermissions, channelId)
  const all = useSelect((s) => s.permissions)
  const [chosen, setChosen] = useState<string>()
  const [denying, setDenying] = useState<string>()
  const { answered, dismiss } = useAnswered(open, all)
  const front = open.find((p) => p.id === chosen) ?? open[0]
  const box = useRef<HTMLDivElement>(null)
  // Whoever is at a question that ends is left at its line, from which the next is one Tab away; never at the next itself, where Enter allows.
  useFocusLost(box, true, markOf, (id) => {
    const line = (of: string) => box.current?.querySelector<HTMLElement>(`li[data-permission="${of}"]`)
    const to = line(id) ?? line(answered.at(-1)?.id ?? '')
    if (to) to.focus()
    else hearth.commands.run('go.chat')
  })

  const card = () => box.current?.querySelector<HTMLElement>(`section[data-permission="${front?.id ?? ''}"]`)
  // A key alone must not let a command run: it leads to the card, where Enter allows.
  useCommand('permission.allow', () => card()?.focus(), front !== undefined)
  useCommand('permission.deny', () => setDenying(front?.id), front !== undefined)

  return (
    <div ref={box} className="contents">
      <Heard permissions={open} />
      {answered.length > 0 && (
        <ul className="flex flex-col gap-1">
          {answered.map((p) => (
            <AnsweredLine key={p.id} permission={p} onGone={dismiss(p.id)} />
          ))}
        </ul>
      )}
      {front && (
        <div role="group" aria-label={texts.permission.list} className="-m-1 flex max-h-[60vh] flex-col gap-1 overflow-y-auto p-1">
          {spendingOf(front) ? (
            <SpendCard key={front.id} permission={front} />
          ) : (
            <PermissionCard
              key={front.id}
              permission={front}
              denying={denying === front.id}
              onDenying={(on) => setDenying(on ? front.id : undefined)}
            />
          )}
          {open.length > 1 && (
            <ul aria-label={texts.permission.more(open.length - 1)} className="flex flex-col gap-1">
              {open.filter((p) => p !== front).map((p) => (
                <Waiting key={p.id} permission={p} onChoose={() => setChosen(p.id)} />
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  )
}

/** Waiting is a question behind another, in one line that brings it to the front. */
function Waiting({ permission, onChoose }: { permission: Permission; onChoose: () => void }) {
  const handle = useSelect((s) => handleOf(s, permission.binding_id)) ?? texts.run.ofAgent
  return (
    <li>
      <button type="button" onClick={onChoose} className="flex w-full items-center gap-2 rounded-md border border-line bg-raised px-3 py-1 text-start hover:bg-hover">
        <Dot tone="asks" />
        <span className="shrink-0 font-medium">{asksOf(handle, permission)}</span>
        <span className="min-w-0 truncate font-mono text-small text-soft" dir="ltr"><Revealed text={shortOf(permission).replaceAll('\n', ' ')} /></span>
      </button>
    </li>
  )
}

/** Heard says to screen readers that somebody asks, once for each question that comes. */
function Heard({ permissions }: { permissions: readonly Permission[] }) {
  const newest = permissions.at(-1)
  const handle = useSelect((s) => (newest ? handleOf(s, newest.binding_id) : undefined)) ?? texts.run.ofAgent
  const spending = newest && spendingOf(newest)
  const asked = () => (newest ? texts.permission.heard(handle, newest.tool, plain(shortOf(newest).slice(0, 200))) : '')
  return (
    <div role="status" className="sr-only">
      {spending ? texts.spend.heard(handle, spending.spent, spending.limit) : asked()}
    </div>
  )
}

/** useAnswered keeps the questions that were open here and are not any more, the last three, until they are dismissed. */
function useAnswered(open: readonly Permission[], all: Readonly<Record<string, Permission>>) {
  const [seen, setSeen] = useState<readonly string[]>(none)
  const [gone, setGone] = useState<readonly string[]>(none)
  const fresh = open.filter((p) => !seen.includes(p.id)).map((p) => p.id)
  if (fresh.length > 0) setSeen([...seen, ...fresh])
  const answered = seen.filter((id) => !gone.includes(id) && all[id] !== undefined && all[id].state !== 'open').slice(-3)
  const dismiss = useCallback((id: string) => () => setGone((held) => (held.includes(id) ? held : [...held, id])), [])
  return { answered: answered.flatMap((id) => all[id] ?? []), dismiss }
}
