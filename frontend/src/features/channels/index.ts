import { later } from '@/ui'

/** Channels: the list of them, the folders they work in, and what is done to one. */
export { useChannelActions } from './actions'
export { ArchivedNote } from './archived-note'
export { ChannelList, type ChannelListProps } from './channel-list'
export { ChannelMenu, type ChannelMenuProps } from './channel-menu'
export type { CreateProps } from './create-channel'
export { useChannelMoves } from './moves'
export { RenameField } from './rename-field'
export { railWidth, useHasRail, WorkspaceRail } from './workspace-rail'

// What opens only when it is asked for is fetched then.
export const ChannelSettings = later(() => import('./channel-settings'))
export const CreateChannel = later(() => import('./create-channel'))
export const CreateDirect = later(() => import('./create-direct'))
