import { Check, Copy } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Button, IconButton } from './button'

/** useCopy puts a text on the clipboard; `copied` says so for a moment. */
export function useCopy(text: string | (() => string)): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  return { copied, copy: () => void navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(() => setCopied(true), () => undefined) }
}

/** CopyButton copies a text, and says so for a moment in `done`. */
export function CopyButton({ text, done, children }: { text: string | (() => string); done: string; children: ReactNode }) {
  const { copied, copy } = useCopy(text)
  return (
    <Button size="sm" tone="quiet" icon={copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />} onClick={copy}>
      <span aria-live="polite">{copied ? done : children}</span>
    </Button>
  )
}

/** CopyIcon is CopyButton without words; what it copies stands in its label. */
export function CopyIcon({ text, label, done }: { text: string; label: string; done: string }) {
  const { copied, copy } = useCopy(text)
  return (
    <>
      <IconButton size="sm" label={label} onClick={copy}>
        {copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
      </IconButton>
      <span className="sr-only" aria-live="polite">{copied ? done : ''}</span>
    </>
  )
}
