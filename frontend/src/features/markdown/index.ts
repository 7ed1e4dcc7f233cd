export { Markdown, type MarkdownProps } from './markdown'
export { CodeBlock } from './code-block'
