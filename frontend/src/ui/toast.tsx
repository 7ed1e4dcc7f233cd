import { Toast as Radix } from 'radix-ui'
import { X } from 'lucide-react'
import { createContext, use, useCallback, useRef, useState, type ReactNode } from 'react'
import { Button, IconButton } from './button'
import { cx } from './cx'
import { useUiWords } from './words'

export interface ToastOptions {
  message: string
  tone?: 'plain' | 'error'
  /** Milliseconds; it waits while it is hovered or focused. */
  duration?: number
  /** Offers Undo. */
  undo?: () => void
  /** When it is gone without Undo: what was put off is done now. */
  commit?: () => void
}

const Context = createContext<((options: ToastOptions) => void) | undefined>(undefined)

/** useToast gives the function that shows a toast. With `commit` an action waits until its Undo can no longer be pressed. */
export function useToast(): (options: ToastOptions) => void {
  const show = use(Context)
  if (!show) throw new Error('useToast: there is no ToastProvider above')
  return show
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const words = useUiWords()
  const [toasts, setToasts] = useState<readonly (ToastOptions & { id: number })[]>([])
  const next = useRef(0)
  const show = useCallback((options: ToastOptions) => {
    const id = next.current++
    setToasts((all) => [...all, { ...options, id }])
  }, [])
  const end = (id: number) => setToasts((all) => all.filter((t) => t.id !== id))
  return (
    <Context value={show}>
      <Radix.Provider label={words.notifications} swipeDirection="right">
        {children}
        {toasts.map((toast) => (
          <OneToast key={toast.id} toast={toast} onEnd={() => end(toast.id)} />
        ))}
        <Radix.Viewport label={words.notificationsPlace} className="fixed right-4 bottom-28 z-50 flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-2 outline-none" />
      </Radix.Provider>
    </Context>
  )
}

function OneToast({ toast, onEnd }: { toast: ToastOptions; onEnd: () => void }) {
  const words = useUiWords()
  const done = useRef(false)
  const finish = (act: (() => void) | undefined) => {
    if (done.current) return
    done.current = true
    act?.()
    onEnd()
  }
  return (
    <Radix.Root
      duration={toast.duration ?? 6000}
      onOpenChange={(open) => !open && finish(toast.commit)}
      className={cx(
        'flex animate-appear items-center gap-2 rounded-md bg-raised py-2 pr-2 pl-3 shadow-float data-[swipe=move]:translate-x-[var(--radix-toast-swipe-move-x)]',
        toast.tone === 'error' && 'border-l-2 border-red',
      )}
    >
      <Radix.Description className="min-w-0 flex-1 break-words">{toast.message}</Radix.Description>
      {toast.undo && (
        <Radix.Action altText={words.undo} asChild>
          <Button size="sm" onClick={() => finish(toast.undo)}>
            {words.undo}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton label={words.close} size="sm">
          <X size={14} aria-hidden />
        </IconButton>
      </Radix.Close>
    </Radix.Root>
  )
}
