import { useId, type ReactNode } from 'react'
import { texts } from '@/core'
import { Button, Dialog, ErrorNote } from '@/ui'

interface FormDialogProps {
  title: string
  description: string
  /** What the button says that does it. */
  submit: string
  tone?: 'main' | 'danger'
  /** What is asked for is complete. */
  ready: boolean
  busy: boolean
  /** What went wrong with it as a whole. */
  problem?: string | undefined
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** FormDialog asks for what is needed to do something, does it, and says what went wrong. */
export function FormDialog({ title, description, submit, tone = 'main', ready, busy, problem, onSubmit, onClose, children }: FormDialogProps) {
  const id = useId()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button tone={tone} type="submit" form={id} busy={busy} disabled={!ready}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !busy) onSubmit()
        }}
      >
        {problem && <ErrorNote>{problem}</ErrorNote>}
        {children}
      </form>
    </Dialog>
  )
}
