export { Composer, type ComposerProps } from './composer'
export { useComposing } from './composing'
export { longest, scalars } from './limit'
