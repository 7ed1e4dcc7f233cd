export { MessageList, type MessageListProps } from './message-list'
