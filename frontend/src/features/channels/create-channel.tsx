import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemError, type Channel } from '@/api'
import { problemOf, texts, useHearth } from '@/core'
import { Button, Dialog, ErrorNote, TextField } from '@/ui'

export interface CreateChannelProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onCreated: (channel: Channel) => void
}

/** CreateChannel asks for what a channel needs: a name, and if wanted a topic and the folder its agents work in. */
export function CreateChannel({ open, onOpenChange, onCreated }: CreateChannelProps) {
  const hearth = useHearth()
  const [name, setName] = useState('')
  const [topic, setTopic] = useState('')
  const [workspace, setWorkspace] = useState('')
  const create = useMutation({
    mutationFn: () =>
      hearth.api.createChannel({
        name: name.trim(), ...(topic.trim() ? { topic: topic.trim() } : {}), ...(workspace.trim() ? { workspace: workspace.trim() } : {}),
      }),
    onSuccess: (channel) => {
      hearth.store.dispatch({ type: 'channel.loaded', channel })
      setName('')
      setTopic('')
      setWorkspace('')
      onOpenChange(false)
      onCreated(channel)
    },
  })
  const { error } = create
  const fault = (field: string) => (error instanceof ProblemError ? error.faults.find((f) => f.location === 'body.' + field)?.message : undefined)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        create.reset()
        onOpenChange(next)
      }}
      title={texts.channels.create}
      description={texts.channels.emptyHint}
      actions={
        <>
          <Button onClick={() => onOpenChange(false)}>{texts.common.cancel}</Button>
          <Button tone="main" type="submit" form="create-channel" busy={create.isPending} disabled={name.trim() === ''}>
            {texts.channels.createIt}
          </Button>
        </>
      }
    >
      <form
        id="create-channel"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') create.mutate()
        }}
      >
        {error && <ErrorNote>{problemOf(error).message}</ErrorNote>}
        <TextField label={texts.channels.name} hint={texts.channels.nameHint} value={name} maxLength={80} problem={fault('name')} onChange={(e) => setName(e.target.value)} required />
        <TextField label={texts.channels.topic} value={topic} maxLength={500} problem={fault('topic')} onChange={(e) => setTopic(e.target.value)} />
        <TextField label={texts.channels.workspace} hint={texts.channels.workspaceHint} value={workspace} problem={fault('workspace')} onChange={(e) => setWorkspace(e.target.value)} />
      </form>
    </Dialog>
  )
}
