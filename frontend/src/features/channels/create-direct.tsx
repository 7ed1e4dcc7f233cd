import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { problemOf, texts, useHearth, useSelect } from '@/core'
import { AgentChoice, handleOfNew, runtimes, usual, usualAgent, type NewAgent } from './agent-choice'
import type { CreateProps } from './create-channel'
import { faultOf } from './fault'
import { FolderField, folderFault } from './folder-field'
import { FormDialog } from './form-dialog'
import { GitField, type GitIgnore } from './git-field'

/** CreateDirect opens a direct line: a channel with one agent. */
export default function CreateDirect({ onClose, onCreated }: CreateProps) {
  const hearth = useHearth()
  const setup = useSelect((s) => s.setup)
  const [workspace, setWorkspace] = useState(() => hearth.store.get().preferences.workspace)
  const [git, setGit] = useState<GitIgnore>('all')
  const [chosen, setAgent] = useState<NewAgent>()
  const agent = chosen ?? usualAgent(setup)
  const create = useMutation({
    mutationFn: async () => {
      const { channel, binding } = await hearth.api.openDirectLine({
        handle: handleOfNew(agent), runtime: runtimes[agent.kind === 'standin' ? 'standin' : 'claude'], git_ignore: git, ...usual,
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
    <FormDialog
      title={texts.channels.createDirect}
      description={texts.channels.directHint}
      submit={texts.channels.createDirectIt}
      ready={ready}
      busy={create.isPending}
      problem={create.error ? problemOf(create.error).message : undefined}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <AgentChoice label={texts.roster.agents} value={agent} kinds={['claude', 'standin']} setup={setup} problem={faultOf(create.error, 'handle')} onChange={setAgent} />
      <FolderField value={workspace} onChange={setWorkspace} problem={faultOf(create.error, 'workspace')} />
      <GitField value={git} onChange={setGit} />
    </FormDialog>
  )
}
