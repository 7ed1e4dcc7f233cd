import { texts } from '@/core'
import { Button, EmptyState } from '@/ui'

/** Broken stands where a part of the page threw an error. */
export function Broken({ error }: { error: unknown }) {
  return (
    <EmptyState title={texts.app.broken} hint={error instanceof Error ? error.message : String(error)}>
      <Button onClick={() => location.reload()}>{texts.app.reload}</Button>
    </EmptyState>
  )
}
