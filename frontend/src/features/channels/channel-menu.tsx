import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Archive, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Channel } from '@/api'
import { addressOf, problemOf, texts, useHearth } from '@/core'
import { Button, Dialog, ErrorNote, IconButton, Menu, MenuItem, MenuLine, TextField, useToast } from '@/ui'

export interface ChannelMenuProps {
  channel: Channel
}

/** ChannelMenu is what can be done to a channel: rename, archive (with Undo) and delete (asked once more: it can't be undone). */
export function ChannelMenu({ channel }: ChannelMenuProps) {
  const hearth = useHearth()
  const toast = useToast()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'rename' | 'delete'>()
  const say = (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' })
  const archive = async () => {
    try {
      hearth.store.dispatch({ type: 'channel.loaded', channel: await hearth.api.archiveChannel(channel.id) })
      await navigate({ to: '/' })
      toast({
        message: texts.channels.archivedToast(channel.name),
        undo: () => {
          hearth.api.unarchiveChannel(channel.id).then((back) => {
            hearth.store.dispatch({ type: 'channel.loaded', channel: back })
            void navigate({ to: '/c/$channel', params: { channel: addressOf(back) } })
          }, say)
        },
      })
    } catch (error) {
      say(error)
    }
  }
  return (
    <>
      <Menu
        label={texts.channels.menu(channel.name)}
        align="end"
        trigger={
          <IconButton label={texts.channels.menu(channel.name)}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} />} onSelect={() => setDialog('rename')}>
          {texts.channels.rename}
        </MenuItem>
        {!channel.archived_at && (
          <MenuItem icon={<Archive size={14} />} onSelect={() => void archive()}>
            {texts.channels.archive}
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem danger icon={<Trash2 size={14} />} onSelect={() => setDialog('delete')}>
          {texts.channels.delete}
        </MenuItem>
      </Menu>
      {dialog === 'rename' && <Rename channel={channel} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && <Delete channel={channel} onClose={() => setDialog(undefined)} />}
    </>
  )
}

function Rename({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const hearth = useHearth()
  const navigate = useNavigate()
  const [name, setName] = useState(channel.name)
  const rename = useMutation({
    mutationFn: () => hearth.api.updateChannel(channel.id, { name: name.trim() }),
    onSuccess: (changed) => {
      hearth.store.dispatch({ type: 'channel.loaded', channel: changed })
      onClose()
      void navigate({ to: '/c/$channel', params: { channel: addressOf(changed) }, replace: true })
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.channels.renameTitle(channel.name)}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button tone="main" type="submit" form="rename-channel" busy={rename.isPending} disabled={name.trim() === ''}>
            {texts.channels.rename}
          </Button>
        </>
      }
    >
      <form
        id="rename-channel"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') rename.mutate()
        }}
      >
        {rename.error && <ErrorNote>{problemOf(rename.error).message}</ErrorNote>}
        <TextField label={texts.channels.name} value={name} maxLength={80} onChange={(e) => setName(e.target.value)} onFocus={(e) => e.target.select()} required />
      </form>
    </Dialog>
  )
}

function Delete({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const hearth = useHearth()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => hearth.api.deleteChannel(channel.id),
    onSuccess: async () => {
      onClose()
      await navigate({ to: '/', replace: true })
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.channels.deleteTitle(channel.name)}
      description={texts.channels.deleteBody}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button tone="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {texts.channels.deleteIt}
          </Button>
        </>
      }
    >
      {remove.error && <ErrorNote>{problemOf(remove.error).message}</ErrorNote>}
    </Dialog>
  )
}
