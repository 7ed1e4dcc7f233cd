import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Permission, Verdict } from '@/api'
import { handleOf, plain, problemOf, texts, useHearth, useSelect } from '@/core'
import { Button, Dot, ErrorNote, Kbd, RelativeTime } from '@/ui'
import { Revealed } from '@/features/diff'
import { Wanted } from './wanted'

export interface PermissionCardProps {
  permission: Permission
  /** Deny was asked for from elsewhere: the reason is open and has the focus. */
  denying?: boolean
  onDenying?: (denying: boolean) => void
}

/** PermissionCard is a question of an agent: exactly what it wants to do and where, and the answers. It never takes the focus by itself. */
export function PermissionCard({ permission, denying, onDenying }: PermissionCardProps) {
  const hearth = useHearth()
  const queries = useQueryClient()
  const handle = useSelect((s) => handleOf(s, permission.binding_id)) ?? texts.run.ofAgent
  const [here, setHere] = useState(false)
  const [choosing, setChoosing] = useState(false)
  const deny = denying ?? here
  const setDeny = onDenying ?? setHere
  const card = useRef<HTMLElement>(null)
  const answer = useMutation({
    mutationFn: (verdict: Verdict) => hearth.answer(permission.id, verdict),
    onSuccess: (_, { decision }) => decision === 'always' && queries.invalidateQueries({ queryKey: ['rules', permission.binding_id] }),
  })
  const conflict = answer.isError && problemOf(answer.error).code === 'conflict'
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && (deny || choosing)) {
      event.stopPropagation()
      setDeny(false)
      setChoosing(false)
      card.current?.focus()
    }
    // Only where the card itself has the focus: a button in it does what it says.
    if (event.key !== 'Enter' || event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey || event.repeat) return
    event.preventDefault()
    if (!answer.isPending) answer.mutate({ decision: 'allow' })
  }
  const rules = permission.rules.length > 0 ? permission.rules : ['']
  return (
    <section
      ref={card}
      aria-label={texts.permission.asks(handle, permission.tool)}
      data-permission={permission.id}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Enter allows while it has the focus
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="group flex flex-col gap-2 rounded-lg border border-edge bg-raised p-3"
    >
      <header className="flex flex-wrap items-center gap-x-2">
        <Dot tone="asks" />
        <h2 className="font-semibold break-words">{texts.permission.asks(handle, permission.tool)}</h2>
        {permission.agent_id && <span className="text-small text-soft">{texts.permission.subagent}</span>}
        <span className="min-w-0 truncate text-soft" title={permission.workspace} dir="ltr">{texts.permission.in(plain(permission.workspace))}</span>
        <RelativeTime time={permission.asked_at} className="ml-auto shrink-0 text-small text-soft" />
      </header>
      <Wanted permission={permission} />
      {permission.blocked_path && <p className="break-words text-amber">{texts.permission.blocked(plain(permission.blocked_path))}</p>}
      {permission.reason && <p className="break-words text-soft">{permission.reason}</p>}
      {answer.isError && <ErrorNote tone={conflict ? 'amber' : 'red'}>{conflict ? texts.permission.answeredElsewhere : problemOf(answer.error).message}</ErrorNote>}
      {deny ? (
        <Reason
          busy={answer.isPending}
          onDeny={(message) => answer.mutate({ decision: 'deny', ...(message ? { message } : {}) })}
          onCancel={() => {
            setDeny(false)
            card.current?.focus()
          }}
        />
      ) : (
        // In sight where the card has to scroll, in a low window.
        <div className="sticky bottom-0 -my-1 flex flex-wrap items-center gap-2 bg-raised py-1">
          <Button tone="main" busy={answer.isPending} onClick={() => answer.mutate({ decision: 'allow' })}>
            {texts.permission.allow}
          </Button>
          <Button aria-expanded={choosing} disabled={answer.isPending} onClick={() => setChoosing(!choosing)}>
            {texts.permission.alwaysFor}
          </Button>
          <Button disabled={answer.isPending} onClick={() => setDeny(true)}>
            {texts.permission.deny}
          </Button>
          <span aria-hidden className="hidden items-center gap-1 text-small text-soft group-focus:flex">
            <Kbd>⏎</Kbd> {texts.permission.allow}
          </span>
        </div>
      )}
      {choosing && !deny && (
        <div role="group" aria-label={texts.permission.alwaysMenu} className="flex flex-col gap-1 rounded-md border border-line p-1">
          {rules.map((rule) => (
            <button
              key={rule}
              type="button"
              aria-label={texts.permission.always(plain(rule))}
              disabled={answer.isPending}
              onClick={() => answer.mutate({ decision: 'always', ...(rule ? { rule } : {}) })}
              className="rounded-sm px-2 py-1 text-start font-mono text-[0.8125rem] leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap hover:bg-hover"
            >
              {rule ? <Revealed text={rule} /> : <span className="font-sans">{texts.permission.alwaysThis}</span>}
            </button>
          ))}
          <p className="px-2 pb-1 text-small text-soft">{texts.permission.alwaysHint}</p>
        </div>
      )}
    </section>
  )
}

/** Reason asks why not: the agent reads it, so it can go on in another way. */
function Reason({ busy, onDeny, onCancel }: { busy: boolean; onDeny: (reason: string) => void; onCancel: () => void }) {
  const [reason, setReason] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // Whoever chose Deny wants to write here.
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onDeny(reason.trim())
      }}
    >
      <input
        ref={field}
        value={reason}
        dir="auto"
        onChange={(event) => setReason(event.target.value)}
        aria-label={texts.permission.denyReason}
        placeholder={texts.permission.denyReason}
        className="h-8 min-w-48 flex-1 rounded-md border border-edge bg-ground px-2"
      />
      <Button type="submit" tone="danger" busy={busy}>
        {texts.permission.denyIt}
      </Button>
      <Button tone="quiet" onClick={onCancel}>
        {texts.common.cancel}
      </Button>
    </form>
  )
}
