import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { Kbd } from './kbd'

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Radix.Provider delayDuration={450}>{children}</Radix.Provider>
}

/** Tooltip says more about what it is around, on hover and focus. It never holds anything to press. */
export function Tooltip({
  content, keys, side = 'top', children,
}: {
  content: ReactNode
  keys?: string | undefined
  side?: 'top' | 'bottom' | 'left' | 'right'
  children: ReactElement
}) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 animate-appear items-center gap-2 rounded-md bg-raised px-2 py-1 text-small text-text shadow-float select-none"
        >
          {content}
          {keys && <Kbd>{keys}</Kbd>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
