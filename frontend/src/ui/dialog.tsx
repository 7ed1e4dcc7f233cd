import { Dialog as Radix } from 'radix-ui'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button'
import { cx } from './cx'
import { useUiWords } from './words'

/** What is asked for first has the focus; where nothing is, the dialog itself, so that no button's tooltip stands in the way. */
function focusFirst(event: Event): void {
  event.preventDefault()
  const { currentTarget: content } = event
  if (!(content instanceof HTMLElement)) return
  const field = content.querySelector<HTMLElement>('input:not([type="radio"]), textarea') ?? content
  field.focus()
}

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** One or two sentences under the title. */
  description?: string
  children?: ReactNode
  /** Buttons at the foot, the one that does it last. */
  actions?: ReactNode
  wide?: boolean
  /** Escape is for something inside it, and does not close it. */
  keepOnEscape?: boolean
}

/** Dialog asks for something before anything else goes on. Escape and a press outside close it. */
export function Dialog({ open, onOpenChange, title, description, children, actions, wide = false, keepOnEscape = false }: DialogProps) {
  const words = useUiWords()
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-shade" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={focusFirst}
          onEscapeKeyDown={(event) => keepOnEscape && event.preventDefault()}
          className={cx(
            'fixed top-[max(8vh,var(--toasts,0px))] left-1/2 z-40 flex max-h-[calc(94vh-max(8vh,var(--toasts,0px)))] w-[calc(100vw-2rem)] -translate-x-1/2 animate-appear flex-col overflow-hidden rounded-lg bg-raised shadow-float outline-none',
            wide ? 'max-w-2xl' : 'max-w-md',
          )}
        >
          <header className="flex items-start gap-2 pt-4 pr-3 pl-5">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-title font-semibold break-words">{title}</Radix.Title>
              {description && <Radix.Description className="mt-1 text-soft">{description}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <IconButton label={words.close} size="sm">
                <X size={16} aria-hidden />
              </IconButton>
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {actions && <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">{actions}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** BareDialog is a dialog whose looks are all its own; its title is for screen readers. */
export function BareDialog({ open, onOpenChange, title, wide = false, children }: { open: boolean; onOpenChange: (open: boolean) => void; title: string; wide?: boolean; children: ReactNode }) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-shade" />
        <Radix.Content
          aria-describedby={undefined}
          className={cx(
            'fixed top-[max(10vh,var(--toasts,0px))] left-1/2 z-40 flex max-h-[calc(86vh-max(10vh,var(--toasts,0px)))] w-[calc(100vw-1.5rem)] -translate-x-1/2 animate-appear flex-col overflow-hidden rounded-lg bg-raised shadow-float',
            wide ? 'max-w-3xl' : 'max-w-xl',
          )}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Drawer is a dialog that comes from the left edge: a pane that has no room of its own. */
export function Drawer({ open, onOpenChange, title, children }: { open: boolean; onOpenChange: (open: boolean) => void; title: string; children: ReactNode }) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 animate-appear bg-shade" />
        <Radix.Content aria-describedby={undefined} onOpenAutoFocus={focusFirst} className="fixed inset-y-0 left-0 z-30 w-80 max-w-[88vw] animate-appear bg-side shadow-float outline-none">
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
