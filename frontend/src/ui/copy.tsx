import { Check, Copy } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Button, IconButton, type IconButtonProps } from './button'

/** useCopy puts a text on the clipboard; `copied` says so for a moment. */
function useCopy(text: string | (() => string)): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  return { copied, copy: () => void navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(() => setCopied(true), () => undefined) }
}

/** CopyMark is the picture of a button that copies, or that it has. */
const CopyMark = ({ copied, size = 13 }: { copied: boolean; size?: number }) => (copied ? <Check size={size} aria-hidden /> : <Copy size={size} aria-hidden />)

/** CopyButton copies a text, and says so for a moment in `done`. */
export function CopyButton({ text, done, children }: { text: string | (() => string); done: string; children: ReactNode }) {
  const { copied, copy } = useCopy(text)
  return (
    <Button size="sm" tone="quiet" icon={<CopyMark copied={copied} />} onClick={copy}>
      <span aria-live="polite">{copied ? done : children}</span>
    </Button>
  )
}

export interface CopyIconProps extends Pick<IconButtonProps, 'className'> {
  text: string | (() => string)
  label: string
  done: string
  /** Of the picture, in pixels. */
  size?: number
}

/** CopyIcon is CopyButton without words; what it copies stands in its label. */
export function CopyIcon({ text, label, done, size, className }: CopyIconProps) {
  const { copied, copy } = useCopy(text)
  return (
    <>
      <IconButton size="sm" label={label} onClick={copy} {...(className === undefined ? {} : { className })}>
        <CopyMark copied={copied} {...(size === undefined ? {} : { size })} />
      </IconButton>
      <span className="sr-only" aria-live="polite">{copied ? done : ''}</span>
    </>
  )
}
