import { Toast as Radix } from 'radix-ui'
import { X } from 'lucide-react'
import { createContext, use, useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Button, IconButton } from './button'
import { cx } from './cx'
import { useUiWords } from './words'

export interface ToastOptions {
  message: ReactNode
  tone?: 'plain' | 'error'
  /** Milliseconds; it waits while it is hovered or focused. */
  duration?: number
  /** Offers Undo. */
  undo?: () => void
  /** When it is gone without Undo: what was put off is done now. */
  commit?: () => void
}

/** ShowToast shows a toast, and returns what takes it away without Undo or commit. */
export type ShowToast = (options: ToastOptions) => () => void

const Context = createContext<ShowToast | undefined>(undefined)

/** useToast gives the function that shows a toast. With `commit` an action waits until its Undo can no longer be pressed. */
export function useToast(): ShowToast {
  const show = use(Context)
  if (!show) throw new Error('useToast: there is no ToastProvider above')
  return show
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const words = useUiWords()
  const [toasts, setToasts] = useState<readonly (ToastOptions & { id: number })[]>([])
  const next = useRef(0)
  const viewport = useRef<HTMLOListElement>(null)
  useRoom(viewport)
  const end = (id: number) => setToasts((all) => all.filter((t) => t.id !== id))
  const show = useCallback((options: ToastOptions) => {
    const id = next.current++
    setToasts((all) => [...all, { ...options, id }])
    return () => end(id)
  }, [])
  return (
    <Context value={show}>
      <Radix.Provider label={words.notifications} swipeDirection="up">
        {children}
        {toasts.map((toast) => (
          <OneToast key={toast.id} toast={toast} onEnd={() => end(toast.id)} />
        ))}
        <Radix.Viewport
          ref={viewport}
          label={words.notificationsPlace}
          // Below the header, where nothing is written or pressed; above a dialog, which makes room for them (--toasts). Where there is no
          // chat (data-no-chat) tools stand below the header, and at the foot there is no field to write in.
          className="fixed top-13 left-1/2 z-50 flex max-h-[calc(60vh-9rem)] w-96 max-w-[calc(100vw-2rem)] -translate-x-1/2 flex-col gap-2 overflow-y-auto p-1 outline-none in-[body:has([role=dialog])]:top-1 in-[body:has([data-no-chat]):not(:has([role=dialog]))]:top-auto in-[body:has([data-no-chat]):not(:has([role=dialog]))]:bottom-3"
        />
      </Radix.Provider>
    </Context>
  )
}

/** useRoom keeps in --toasts how far down from the top the toasts reach: dialogs begin below that. */
function useRoom(viewport: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = viewport
    if (!current) return
    const { style } = document.documentElement
    const tell = () => style.setProperty('--toasts', current.childElementCount > 0 ? `${current.offsetHeight + 8}px` : '0px')
    const observer = new ResizeObserver(tell)
    observer.observe(current)
    return () => {
      observer.disconnect()
      style.removeProperty('--toasts')
    }
  }, [viewport])
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
        // An open dialog takes the pointer from everything else; from these it must not.
        'pointer-events-auto! flex shrink-0 animate-appear items-center gap-2 rounded-md bg-raised py-2 pr-2 pl-3 shadow-float data-[swipe=move]:translate-y-[var(--radix-toast-swipe-move-y)]',
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
