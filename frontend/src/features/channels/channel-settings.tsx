import { useMutation } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ProblemError, type Channel, type ChannelChange } from '@/api'
import { problemOf, texts, useHearth, useSelect } from '@/core'
import { Button, ErrorNote, TextField, useToast } from '@/ui'
import { useChannelActions } from './actions'
import DeleteChannel from './delete-channel'
import { faultOf } from './fault'
import { FolderField, folderFault } from './folder-field'
import { GitField } from './git-field'

/** ChannelSettings is what a channel is called and works on, and how it is put away. */
export default function ChannelSettings({ channelId }: { channelId: string }) {
  const channel = useSelect((s) => s.channels[channelId])
  return channel ? <Form key={`${channel.name}\n${channel.topic}\n${channel.workspace}\n${channel.git_ignore}\n${channel.spend_limit_usd}`} channel={channel} /> : null
}

function Form({ channel }: { channel: Channel }) {
  const hearth = useHearth()
  const toast = useToast()
  const { archive, unarchive, open } = useChannelActions()
  const [name, setName] = useState(channel.name)
  const [topic, setTopic] = useState(channel.topic)
  const [workspace, setWorkspace] = useState(channel.workspace)
  const [git, setGit] = useState(channel.git_ignore)
  const [limit, setLimit] = useState(String(channel.spend_limit_usd))
  const [deleting, setDeleting] = useState(false)
  const dollars = limit.trim() === '' ? 0 : Number(limit.trim().replace(',', '.'))
  // Digits that come to nothing, as in 1e-400, are no 0.
  const none = dollars === 0 && !/[1-9]/.test(limit.split(/e/i)[0] ?? '')
  const limitRight = none || (dollars >= 0.01 && dollars <= 1_000_000)
  const change: ChannelChange = {
    ...(name.trim() !== channel.name ? { name: name.trim() } : {}),
    ...(topic.trim() !== channel.topic ? { topic: topic.trim() } : {}),
    ...(workspace.trim() !== channel.workspace ? { workspace: workspace.trim() } : {}),
    ...(git !== channel.git_ignore ? { git_ignore: git } : {}),
    ...(limitRight && dollars !== channel.spend_limit_usd ? { spend_limit_usd: dollars } : {}),
  }
  const changed = Object.keys(change).length > 0
  const ready = changed && limitRight && name.trim() !== '' && workspace.trim() !== '' && !folderFault(workspace.trim())
  const save = useMutation({
    mutationFn: () => hearth.api.updateChannel(channel.id, change),
    onSuccess: async (saved) => {
      hearth.store.dispatch({ type: 'channel.loaded', channel: saved })
      toast({ message: texts.settings.saved, duration: 2000 })
      if (change.name !== undefined && !saved.archived_at) await open(saved, true)
    },
  })
  const fault = (field: string) => faultOf(save.error, field)
  return (
    <div className="flex flex-col gap-8 p-5">
      <form
        aria-label={texts.settings.about}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !save.isPending) save.mutate()
        }}
      >
        {save.error && !(save.error instanceof ProblemError && save.error.faults.length > 0) && <ErrorNote>{problemOf(save.error).message}</ErrorNote>}
        <TextField label={texts.channels.name} hint={texts.channels.nameHint} value={name} maxLength={80} problem={fault('name')} onChange={(e) => setName(e.target.value)} required />
        <TextField label={texts.channels.topic} value={topic} maxLength={500} problem={fault('topic')} onChange={(e) => setTopic(e.target.value)} />
        <FolderField value={workspace} onChange={setWorkspace} problem={fault('workspace')} hint={texts.channels.workspaceHintNow} />
        <GitField value={git} onChange={setGit} hint={texts.economy.gitHintNow} />
        <TextField
          label={texts.spend.limit}
          hint={texts.spend.limitHint}
          inputMode="decimal"
          value={limit}
          problem={limitRight ? fault('spend_limit_usd') : texts.spend.limitWrong}
          onChange={(e) => setLimit(e.target.value)}
        />
        <div>
          <Button tone="main" type="submit" disabled={!ready} busy={save.isPending}>
            {texts.settings.save}
          </Button>
        </div>
      </form>
      <section aria-label={texts.settings.end} className="flex flex-col gap-4 border-t border-line pt-5">
        <div className="flex flex-col items-start gap-2">
          {!channel.archived_at && <p className="text-soft">{texts.settings.archiveHint}</p>}
          {channel.archived_at ? (
            <Button icon={<ArchiveRestore size={14} aria-hidden />} onClick={() => void unarchive(channel.id)}>
              {texts.channels.unarchive}
            </Button>
          ) : (
            <Button icon={<Archive size={14} aria-hidden />} onClick={() => void archive(channel)}>
              {texts.channels.archive}
            </Button>
          )}
        </div>
        <div className="flex flex-col items-start gap-2">
          <p className="text-soft">{texts.settings.deleteHint}</p>
          <Button icon={<Trash2 size={14} aria-hidden className="text-red" />} onClick={() => setDeleting(true)}>
            {texts.channels.delete}
          </Button>
        </div>
      </section>
      {deleting && <DeleteChannel channel={channel} onClose={() => setDeleting(false)} />}
    </div>
  )
}
