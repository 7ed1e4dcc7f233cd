export { ChannelList, type ChannelListProps } from './channel-list'
export { ChannelMenu, type ChannelMenuProps } from './channel-menu'
export { CreateChannel, type CreateChannelProps } from './create-channel'
