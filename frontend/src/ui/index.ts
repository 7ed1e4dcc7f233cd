/**
 * The primitives that everything is made of, and the look (tokens.css). A leaf: it imports nothing of ours and holds no words of
 * its own; labels are given. Everything can be reached by keyboard, has a name for screen readers and shows its focus.
 */
export * from './avatar'
export * from './button'
export * from './choice'
export * from './copy'
export { cx } from './cx'
export * from './dialog'
export * from './field'
export * from './kbd'
export * from './later'
export * from './media'
export * from './menu'
export * from './notes'
export * from './panes'
export * from './progress'
export * from './splitter'
export * from './tabs'
export * from './time'
export * from './toast'
export * from './tooltip'
export * from './words'
