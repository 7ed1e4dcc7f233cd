import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { problemOf, texts, useHearth, useSelect } from '@/core'
import { Button, Dialog, ErrorNote } from '@/ui'
import { AgentChoice, handleOfNew, runtimes, usualAgent, type NewAgent } from './agent-choice'
import type { CreateProps } from './create-channel'
import { faultOf } from './fault'
import { FolderField, folderFault } from './folder-field'

/** CreateDirect opens a direct line: a channel with one agent. */
export default function CreateDirect({ onClose, onCreated }: CreateProps) {
  const hearth = useHearth()
  const setup = useSelect((s) => s.setup)
  const [workspace, setWorkspace] = useState(() => hearth.store.get().preferences.workspace)
  const [chosen, setAgent] = useState<NewAgent>()
  const agent = chosen ?? usualAgent(setup)
  const create = useMutation({
    mutationFn: async () => {
      const { channel, binding } = await hearth.api.openDirectLine({
        handle: handleOfNew(agent), runtime: runtimes[agent.kind === 'standin' ? 'standin' : 'claude'], resident: true, supervised: true,
        ...(workspace.trim() ? { workspace: workspace.trim() } : {}),
      })
      hearth.store.dispatch({ type: 'channel.loaded', channel })
      hearth.store.dispatch({ type: 'binding.loaded', binding })
      return channel
    },
    onSuccess: (channel) => {
      onClose()
      onCreated(channel)
    },
  })
  const ready = !folderFault(workspace.trim())
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.channels.createDirect}
      description={texts.channels.directHint}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button tone="main" type="submit" form="create-direct" busy={create.isPending} disabled={!ready}>
            {texts.channels.createDirectIt}
          </Button>
        </>
      }
    >
      <form
        id="create-direct"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !create.isPending) create.mutate()
        }}
      >
        {create.error && <ErrorNote>{problemOf(create.error).message}</ErrorNote>}
        <AgentChoice label={texts.roster.agents} value={agent} kinds={['claude', 'standin']} setup={setup} problem={faultOf(create.error, 'handle')} onChange={setAgent} />
        <FolderField value={workspace} onChange={setWorkspace} problem={faultOf(create.error, 'workspace')} />
      </form>
    </Dialog>
  )
}
