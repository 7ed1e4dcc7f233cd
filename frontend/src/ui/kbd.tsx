import type { ReactNode } from 'react'

/** Kbd is a key, as it stands on the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid h-4 min-w-4 place-items-center rounded-sm border border-edge bg-side px-1 font-sans text-[0.6875rem] leading-none text-soft">
      {children}
    </kbd>
  )
}
