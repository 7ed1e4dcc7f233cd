import { useNavigate } from '@tanstack/react-router'
import { Archive, ArchiveRestore, Ellipsis, Link2, Pencil, Settings2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Channel } from '@/api'
import { addressOf, nameOf, texts, useCommand, useHearth, useSelect } from '@/core'
import { IconButton, later, Menu, MenuCheck, MenuItem, MenuLine, useToast } from '@/ui'
import { useChannelActions } from './actions'

const DeleteChannel = later(() => import('./delete-channel'))

export interface ChannelMenuProps {
  channel: Channel
  onRename: () => void
  /** It is the open channel's own: it does the commands that mean "this channel". */
  main?: boolean
  size?: 'sm' | 'md'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
}

/** ChannelMenu is what can be done to a channel: archiving has an Undo, deleting is asked once more. */
export function ChannelMenu({ channel, onRename, main = false, size = 'md', open, onOpenChange, className }: ChannelMenuProps) {
  const navigate = useNavigate()
  const toast = useToast()
  const { archive, unarchive } = useChannelActions()
  const [deleting, setDeleting] = useState(false)
  const archived = Boolean(channel.archived_at)
  const hearth = useHearth()
  const muted = useSelect((s) => s.preferences.muted.includes(channel.id))
  const mute = (on: boolean) => {
    const others = hearth.store.get().preferences.muted.filter((id) => id !== channel.id)
    hearth.store.dispatch({ type: 'preferences', preferences: { muted: on ? [...others, channel.id] : others } })
  }
  const copy = async () => {
    await navigator.clipboard.writeText(`${location.origin}/c/${encodeURIComponent(addressOf(channel))}`)
    toast({ message: texts.common.copied, duration: 2000 })
  }
  useCommand('channel.rename', onRename, main)
  useCommand('channel.archive', () => void archive(channel), main && !archived)
  useCommand('channel.delete', () => setDeleting(true), main)
  return (
    <>
      <Menu
        label={texts.channels.menu(nameOf(channel))}
        align="end"
        {...(open === undefined ? {} : { open })}
        {...(onOpenChange ? { onOpenChange } : {})}
        trigger={
          <IconButton label={texts.channels.menu(nameOf(channel))} size={size} className={className}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} />} onSelect={onRename}>
          {texts.channels.rename}
        </MenuItem>
        <MenuItem
          icon={<Settings2 size={14} />}
          onSelect={() => void navigate({ to: '/c/$channel/settings', params: { channel: addressOf(channel) } })}
        >
          {texts.channels.settings}
        </MenuItem>
        <MenuItem icon={<Link2 size={14} />} onSelect={() => void copy()}>
          {texts.channels.copyLink}
        </MenuItem>
        {!archived && (
          <MenuCheck checked={muted} onChange={mute}>
            {texts.notify.mute}
          </MenuCheck>
        )}
        <MenuLine />
        {archived ? (
          <MenuItem icon={<ArchiveRestore size={14} />} onSelect={() => void unarchive(channel.id)}>
            {texts.channels.unarchive}
          </MenuItem>
        ) : (
          <MenuItem icon={<Archive size={14} />} onSelect={() => void archive(channel)}>
            {texts.channels.archive}
          </MenuItem>
        )}
        <MenuItem danger icon={<Trash2 size={14} />} onSelect={() => setDeleting(true)}>
          {texts.channels.delete}
        </MenuItem>
      </Menu>
      {deleting && <DeleteChannel channel={channel} onClose={() => setDeleting(false)} />}
    </>
  )
}
