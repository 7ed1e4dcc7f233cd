import { useMutation } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { Permission, Verdict } from '@/api'
import { handleOf, problemOf, texts, useHearth, useSelect } from '@/core'
import { Button, Dot, ErrorNote, IconButton, Menu, MenuItem, RelativeTime } from '@/ui'

export interface PermissionCardProps {
  permission: Permission
}

/** PermissionCard is a question of an agent: exactly what it wants to do and where, and the answers. It never takes the focus. */
export function PermissionCard({ permission }: PermissionCardProps) {
  const hearth = useHearth()
  const handle = useSelect((s) => handleOf(s, permission.binding_id)) ?? texts.run.ofAgent
  const [reason, setReason] = useState<string>()
  const answer = useMutation({ mutationFn: (verdict: Verdict) => hearth.answer(permission.id, verdict) })
  const rules = permission.rules.length > 0 ? permission.rules : ['']
  return (
    <section aria-label={texts.permission.asks(handle, permission.tool)} className="flex flex-col gap-2 rounded-lg border border-edge bg-raised p-3">
      <header className="flex flex-wrap items-center gap-x-2">
        <Dot tone="asks" />
        <h2 className="font-semibold break-words">{texts.permission.asks(handle, permission.tool)}</h2>
        <span className="min-w-0 truncate text-soft">{texts.permission.in(permission.workspace)}</span>
        <RelativeTime time={permission.asked_at} className="ml-auto text-small text-soft" />
      </header>
      <pre
        // It may be longer than its place, so it has to be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={permission.tool}
        className="max-h-60 overflow-auto rounded-md border border-line bg-side px-3 py-2 font-mono text-[0.8125rem] leading-5 break-words whitespace-pre-wrap"
      >
        {wanted(permission)}
      </pre>
      {permission.reason && <p className="text-soft">{permission.reason}</p>}
      {answer.isError && <ErrorNote>{problemOf(answer.error).message}</ErrorNote>}
      {reason === undefined ? (
        <div className="flex flex-wrap items-center gap-2">
          <Button tone="main" busy={answer.isPending} onClick={() => answer.mutate({ decision: 'allow' })}>
            {texts.permission.allow}
          </Button>
          <Button onClick={() => setReason('')}>{texts.permission.deny}</Button>
          <Menu
            label={texts.permission.alwaysMenu}
            trigger={
              <IconButton label={texts.permission.alwaysMenu}>
                <ChevronDown size={16} aria-hidden />
              </IconButton>
            }
          >
            {rules.map((rule) => (
              <MenuItem key={rule} onSelect={() => answer.mutate({ decision: 'always', ...(rule ? { rule } : {}) })}>
                {texts.permission.always(rule)}
              </MenuItem>
            ))}
          </Menu>
        </div>
      ) : (
        <form
          className="flex flex-wrap items-center gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            answer.mutate({ decision: 'deny', ...(reason ? { message: reason } : {}) })
          }}
        >
          <input
            // The person pressed Deny to come here.
            // eslint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            aria-label={texts.permission.denyReason}
            placeholder={texts.permission.denyReason}
            className="h-8 min-w-0 flex-1 rounded-md border border-edge bg-ground px-2"
          />
          <Button type="submit" tone="danger" busy={answer.isPending}>
            {texts.permission.denyIt}
          </Button>
          <Button tone="quiet" onClick={() => setReason(undefined)}>
            {texts.common.cancel}
          </Button>
        </form>
      )}
    </section>
  )
}

/** wanted is what the tool would get: a command as it is, anything else as the JSON it is. */
function wanted({ input }: Permission): string {
  const command = (input as { command?: unknown } | undefined)?.command
  return typeof command === 'string' ? command : JSON.stringify(input, undefined, 2)
}
