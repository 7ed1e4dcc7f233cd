export { ThreadPanel, type ThreadPanelProps } from './thread-panel'
