import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** Tabs chooses one of several views. Arrow keys move between them; the view is the children. */
export function Tabs<T extends string>({ label, value, tabs, onChange, end, children }: { label: string; value: T; tabs: readonly { value: T; text: string }[]; onChange: (value: T) => void; end?: ReactNode; children: ReactNode }) {
  return (
    <Radix.Root value={value} onValueChange={(v) => onChange(v as T)} className="flex h-full min-h-0 flex-col">
      <div className="flex h-11 shrink-0 items-center gap-2 border-b border-line pr-2 pl-3">
        <Radix.List aria-label={label} className="flex h-full min-w-0 flex-1 gap-1 overflow-x-auto">
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              className="h-full border-b-2 border-transparent px-2 font-medium text-soft -outline-offset-2 transition-colors hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
            >
              {tab.text}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {end}
      </div>
      <Radix.Content value={value} className="min-h-0 flex-1 overflow-y-auto -outline-offset-2" tabIndex={-1}>
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}
