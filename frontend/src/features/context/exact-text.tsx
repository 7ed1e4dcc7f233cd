import type { ReactNode } from 'react'
import { cx } from '@/ui'

/** ExactText is text to the byte, each line in its own direction; it scrolls by itself where it is long. */
export function ExactText({ label, tall = false, children }: { label: string; tall?: boolean; children: ReactNode }) {
  return (
    <pre
      // It may be longer than its place, so it has to be reachable by keyboard.
      tabIndex={0}
      role="region"
      aria-label={label}
      dir="ltr"
      className={cx(
        'overflow-auto rounded-md border border-line bg-side px-3 py-2 font-mono text-[0.75rem] leading-[1.125rem] [overflow-wrap:anywhere] whitespace-pre-wrap [unicode-bidi:plaintext]',
        tall ? 'max-h-[70vh]' : 'max-h-[min(22rem,60vh)]',
      )}
    >
      {children}
    </pre>
  )
}
