import { DropdownMenu as Radix } from 'radix-ui'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx'
import { Kbd } from './kbd'

const item =
  'flex h-8 items-center gap-2 rounded-sm px-2 text-body outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover'

/** Menu opens beside its trigger: a list of MenuItem, MenuChoice and MenuLine. */
export function Menu({
  trigger, label, align = 'start', open, onOpenChange, children,
}: {
  trigger: ReactElement
  label: string
  align?: 'start' | 'end'
  /** Where something else opens it too, such as a press of the second button. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}) {
  return (
    <Radix.Root modal={false} {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[var(--radix-dropdown-menu-content-available-height)] max-w-80 min-w-44 animate-appear overflow-y-auto rounded-md bg-raised p-1 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export function MenuItem({
  icon, keys, danger = false, disabled = false, onSelect, children,
}: {
  icon?: ReactNode
  keys?: string
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Radix.Item disabled={disabled} onSelect={onSelect} className={cx(item, danger && 'text-red')}>
      <span className={cx('grid w-4 place-items-center', danger ? 'text-red' : 'text-soft')}>{icon}</span>
      <span className="flex-1 truncate">{children}</span>
      {keys && <Kbd>{keys}</Kbd>}
    </Radix.Item>
  )
}

/** MenuChoice is one of several, of which one is chosen. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: { label: string; value: T; options: readonly { value: T; text: string }[]; onChange: (value: T) => void }) {
  return (
    <Radix.Group>
      <Radix.Label className="px-2 pt-1 pb-0.5 text-small text-soft">{label}</Radix.Label>
      <Radix.RadioGroup value={value} onValueChange={(v) => onChange(v as T)}>
        {options.map((option) => (
          <Radix.RadioItem key={option.value} value={option.value} className={item}>
            <span className="grid w-4 place-items-center">
              <Radix.ItemIndicator>
                <Check size={14} aria-hidden />
              </Radix.ItemIndicator>
            </span>
            {option.text}
          </Radix.RadioItem>
        ))}
      </Radix.RadioGroup>
    </Radix.Group>
  )
}

/** MenuCheck is on or off. */
export function MenuCheck({ checked, onChange, children }: { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode }) {
  return (
    <Radix.CheckboxItem checked={checked} onCheckedChange={onChange} className={item}>
      <span className="grid w-4 place-items-center">
        <Radix.ItemIndicator>
          <Check size={14} aria-hidden />
        </Radix.ItemIndicator>
      </span>
      {children}
    </Radix.CheckboxItem>
  )
}

export function MenuLine() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />
}
