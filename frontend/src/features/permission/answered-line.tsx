import { Ban, Check, ChevronRight, TimerOff, X } from 'lucide-react'
import { useEffect, useState, type ReactElement } from 'react'
import type { Permission } from '@/api'
import { handleOf, texts, useSelect } from '@/core'
import { cx, IconButton } from '@/ui'
import { Revealed } from '@/features/diff'
import { spendingOf } from './spend'
import { Wanted } from './wanted'
import { shortOf } from './wanted-of'

/** How long an answer stands there, in milliseconds; its turn has it for good. */
const stays = 30_000

/** What the server writes into a question that ended without an answer. */
const withdrawnMessage = 'Nobody answered before the turn ended.'

/** outcomeOf is what became of a question. */
export function outcomeOf({ state, message }: Permission): keyof typeof texts.permission.answered {
  return state === 'denied' && message === withdrawnMessage ? 'withdrawn' : state
}

const icons: Record<ReturnType<typeof outcomeOf>, ReactElement | null> = {
  open: null,
  allowed: <Check size={14} aria-hidden className="text-green" />,
  always: <Check size={14} aria-hidden className="text-green" />,
  denied: <Ban size={14} aria-hidden className="text-red" />,
  withdrawn: <TimerOff size={14} aria-hidden className="text-soft" />,
}

/** AnsweredLine is a question that needs no answer any more, in one line that opens to what it was. It goes by itself. */
export function AnsweredLine({ permission, onGone }: { permission: Permission; onGone: () => void }) {
  const handle = useSelect((s) => handleOf(s, permission.binding_id)) ?? texts.run.ofAgent
  const [open, setOpen] = useState(false)
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (open || held) return
    const timer = setTimeout(onGone, stays)
    return () => clearTimeout(timer)
  }, [open, held, onGone])
  const outcome = outcomeOf(permission)
  const spending = spendingOf(permission)
  const why = outcome === 'withdrawn' ? texts.permission.nobodyAnswered : permission.state === 'always' ? permission.rule : permission.message
  return (
    <li
      data-permission={permission.id}
      tabIndex={-1}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      className="rounded-md border border-line bg-side text-small outline-none focus-visible:outline-2"
    >
      <div className="flex items-center gap-1.5 pr-0.5 pl-2">
        {icons[outcome]}
        <p className="flex min-w-0 flex-1 items-baseline gap-1.5">
          <span className="shrink-0 font-medium">{handle}</span>
          <span className="min-w-0 flex-[0_1_auto] truncate font-mono" dir="ltr"><Revealed text={spending ? texts.spend.of(spending.spent, spending.limit) : (shortOf(permission).split('\n')[0] ?? '')} /></span>
          <span className="shrink-0 text-soft">{texts.permission.answered[outcome]}</span>
          {why && <span className="min-w-0 flex-[1_1_0] truncate text-soft" dir="auto" title={why}>{why}</span>}
        </p>
        <IconButton size="sm" label={open ? texts.permission.hide : texts.permission.details} aria-expanded={open} onClick={() => setOpen(!open)}>
          <ChevronRight size={14} aria-hidden className={cx('transition-transform', open && 'rotate-90')} />
        </IconButton>
        <IconButton size="sm" label={texts.permission.dismiss} onClick={onGone}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      {open && (
        <div className="border-t border-line p-2 text-body">
          <Wanted permission={permission} />
        </div>
      )}
    </li>
  )
}
