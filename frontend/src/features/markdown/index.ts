/** Text that others wrote, shown as what it is: data, never markup to trust. */
export { CodeBlock } from './code-block'
export { useKept } from './kept'
export { Markdown, type MarkdownProps } from './markdown'
export { MessageBody, type MessageBodyProps } from './message-body'
export { useColoured } from './use-coloured'
