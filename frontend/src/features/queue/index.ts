export { QueueStrip, type QueueStripProps } from './queue-strip'
