import { useMutation } from '@tanstack/react-query'
import type { Binding } from '@/api'
import { problemOf, texts, useHearth } from '@/core'
import { Button, Dialog, ErrorNote } from '@/ui'

/** RemoveAgent asks before an agent is taken out of its channel: that can't be undone. */
export function RemoveAgent({ binding, open, onOpenChange }: { binding: Binding; open: boolean; onOpenChange: (open: boolean) => void }) {
  const hearth = useHearth()
  const remove = useMutation({ mutationFn: () => hearth.api.deleteBinding(binding.id), onSuccess: () => onOpenChange(false) })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        remove.reset()
        onOpenChange(next)
      }}
      title={texts.roster.removeTitle(binding.handle)}
      description={texts.roster.removeBody}
      actions={
        <>
          <Button onClick={() => onOpenChange(false)}>{texts.common.cancel}</Button>
          <Button tone="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {texts.roster.removeIt}
          </Button>
        </>
      }
    >
      {remove.isError && <ErrorNote>{problemOf(remove.error).message}</ErrorNote>}
    </Dialog>
  )
}
