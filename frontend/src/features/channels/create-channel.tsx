import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemError, type Channel } from '@/api'
import { problemOf, texts, useHearth, useSelect } from '@/core'
import { TextField, useToast } from '@/ui'
import { AgentChoice, handleOfNew, runtimes, usual, usualAgent, type NewAgent } from './agent-choice'
import { faultOf } from './fault'
import { FolderField, folderFault } from './folder-field'
import { FormDialog } from './form-dialog'
import { GitField, type GitIgnore } from './git-field'

export interface CreateProps {
  onClose: () => void
  onCreated: (channel: Channel) => void
}

/** CreateChannel asks for what a channel needs: a name, and if wanted a topic, the folder its agents work in, and a first agent. */
export default function CreateChannel({ onClose, onCreated }: CreateProps) {
  const hearth = useHearth()
  const toast = useToast()
  const setup = useSelect((s) => s.setup)
  // Somebody who looks at one folder's channels makes one more of them.
  const [workspace, setWorkspace] = useState(() => hearth.store.get().preferences.workspace)
  const [name, setName] = useState('')
  const [topic, setTopic] = useState('')
  const [git, setGit] = useState<GitIgnore>('all')
  const [chosen, setAgent] = useState<NewAgent>()
  const agent = chosen ?? usualAgent(setup)
  const create = useMutation({
    mutationFn: async () => {
      const channel = await hearth.api.createChannel({
        name: name.trim(), git_ignore: git, ...(topic.trim() ? { topic: topic.trim() } : {}), ...(workspace.trim() ? { workspace: workspace.trim() } : {}),
      })
      hearth.store.dispatch({ type: 'channel.loaded', channel })
      if (agent.kind !== 'none') {
        try {
          await hearth.api.createBinding(channel.id, { handle: handleOfNew(agent), runtime: runtimes[agent.kind], ...usual })
        } catch (error) {
          toast({ message: texts.channels.agentNotAdded(problemOf(error).message), tone: 'error' })
        }
      }
      return channel
    },
    onSuccess: (channel) => {
      onClose()
      onCreated(channel)
    },
  })
  const ready = name.trim() !== '' && !folderFault(workspace.trim())
  const fault = (field: string) => faultOf(create.error, field)
  return (
    <FormDialog
      title={texts.channels.create}
      description={texts.channels.emptyHint}
      submit={texts.channels.createIt}
      ready={ready}
      busy={create.isPending}
      problem={create.error && !(create.error instanceof ProblemError && create.error.faults.length > 0) ? problemOf(create.error).message : undefined}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField label={texts.channels.name} hint={texts.channels.nameHint} value={name} maxLength={80} problem={fault('name')} onChange={(e) => setName(e.target.value)} required />
      <TextField label={texts.channels.topic} value={topic} maxLength={500} problem={fault('topic')} onChange={(e) => setTopic(e.target.value)} />
      <FolderField value={workspace} onChange={setWorkspace} problem={fault('workspace')} />
      <GitField value={git} onChange={setGit} />
      <AgentChoice label={texts.channels.firstAgent} value={agent} kinds={['claude', 'standin', 'none']} setup={setup} onChange={setAgent} />
    </FormDialog>
  )
}
