import type { ReactNode } from 'react'
import { CircleAlert } from 'lucide-react'
import { cx } from './cx'

/** EmptyState stands where nothing is yet: what it is, and what to do. `page`: it is all there is, and heads the page. */
export function EmptyState({ icon, title, hint, page = false, children }: { icon?: ReactNode; title: string; hint?: ReactNode; page?: boolean; children?: ReactNode }) {
  const Title = page ? 'h1' : 'p'
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-2 px-6 py-10 text-center">
      {icon && <div className="text-soft">{icon}</div>}
      <Title className="text-title font-semibold break-words">{title}</Title>
      {hint && <p className="text-soft">{hint}</p>}
      {children && <div className="mt-2 flex flex-wrap justify-center gap-x-4 gap-y-2">{children}</div>}
    </div>
  )
}

/** ErrorNote says what went wrong where it did, with what can be done about it. */
export function ErrorNote({ children, action, tone = 'red', className }: { children: ReactNode; action?: ReactNode; tone?: 'red' | 'amber'; className?: string }) {
  return (
    <div
      role="alert"
      className={cx(
        // The edge is for where the system chooses the colours.
        'flex items-start gap-2 rounded-md border border-transparent px-3 py-2',
        tone === 'red' ? 'bg-red-ground text-red' : 'bg-amber-ground text-amber',
        className,
      )}
    >
      <CircleAlert size={16} aria-hidden className="mt-[3px] shrink-0" />
      <div className="min-w-0 flex-1 break-words">{children}</div>
      {action}
    </div>
  )
}
