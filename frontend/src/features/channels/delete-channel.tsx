import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Channel } from '@/api'
import { nameOf, problemOf, selectAgents, texts, useHearth, useSelector } from '@/core'
import { TextField } from '@/ui'
import { useChannelActions } from './actions'
import { FormDialog } from './form-dialog'

/** DeleteChannel says what goes with a channel, and has its name written before it does. */
export default function DeleteChannel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const hearth = useHearth()
  const { remove } = useChannelActions()
  const agents = useSelector(selectAgents, channel.id)
  useQuery({
    queryKey: ['roster', channel.id],
    queryFn: async ({ signal }) => {
      await hearth.loadRoster(channel.id, signal)
      return true
    },
  })
  const [typed, setTyped] = useState('')
  const sure = typed.trim().normalize('NFC') === channel.name.trim().normalize('NFC')
  const deletion = useMutation({ mutationFn: () => remove(channel), onSuccess: onClose })
  const handles = agents.map((a) => '@' + a.binding.handle).join(texts.common.and)
  return (
    <FormDialog
      title={texts.channels.deleteTitle(nameOf(channel))}
      description={texts.channels.deleteBody}
      submit={texts.channels.deleteIt}
      tone="danger"
      ready={sure}
      busy={deletion.isPending}
      problem={deletion.error ? problemOf(deletion.error).message : undefined}
      onSubmit={() => deletion.mutate()}
      onClose={onClose}
    >
      <ul className="list-disc pl-5">
        <li>{texts.channels.deleteRows}</li>
        <li>{texts.channels.deleteRuns}</li>
        {handles && <li dir="auto">{texts.channels.deleteAgents(handles)}</li>}
      </ul>
      <p className="break-words text-soft">{texts.channels.deleteKept(channel.workspace)}</p>
      <TextField label={texts.channels.deleteType(channel.name)} value={typed} onChange={(event) => setTyped(event.target.value)} />
    </FormDialog>
  )
}
