import { memo, useMemo, type ReactNode } from 'react'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { texts } from '@/core'
import { splitBlocks } from './blocks'
import { CodeBlock } from './code-block'
import { fileOf, openOutside, outside } from './outside'
import { Picture } from './picture'
import { remarkProse } from './prose'
import './markdown.css'

export interface MarkdownProps {
  text: string
  /** Handles that are marked where they are mentioned. */
  handles: readonly string[]
  /** The text is still being written. */
  live?: boolean
}

/**
 * Markdown shows text that others wrote: data, never markup to trust. HTML in it is shown as text, what comes out is sanitised
 * besides, and links lead to http, https and mailto only, outside of Hearth.
 */
export const Markdown = memo(function Markdown({ text, handles, live = false }: MarkdownProps) {
  // Handles come as a new list with every roster; what they say is what counts.
  const names = handles.join(' ')
  const plugins = useMemo((): Options['remarkPlugins'] => [remarkGfm, remarkProse(names ? names.split(' ') : [])], [names])
  if (!live) return <div className="markdown"><Block text={text} plugins={plugins} settled /></div>
  const blocks = splitBlocks(text)
  return (
    <div className="markdown">
      {blocks.map((block, i) => (
        <Block key={i} text={block} plugins={plugins} settled={i < blocks.length - 1} />
      ))}
    </div>
  )
})

const schema: typeof defaultSchema = {
  ...defaultSchema,
  protocols: { href: ['http', 'https', 'mailto'] },
  // The default gives ids a prefix; two messages would still share theirs.
  attributes: { ...defaultSchema.attributes, strong: [['className', 'mention']] },
  clobberPrefix: 'md-',
}

const rehypePlugins: Options['rehypePlugins'] = [[rehypeSanitize, schema]]

/** What an address may be: of a link only what leads outside, of a picture also a file of the channel's folder. */
const address = (url: string, key: string): string => (key === 'src' && fileOf(url) !== undefined ? url : outside(url))

interface BlockProps {
  text: string
  plugins: Options['remarkPlugins']
  settled: boolean
}

/** Nothing leads to a footnote and back here: an address of the page names a message, and no place in one. So there is no sign for it. */
const footnotes = { footnoteLabel: texts.messages.footnotes, footnoteBackContent: () => [] }

/** A part that is still being written and longer than this, in characters, is shown as it is: to read it anew for every word would take longer each time. */
const longestGrowing = 8000

const Block = memo(function Block({ text, plugins, settled }: BlockProps) {
  if (!settled && text.length > longestGrowing) return <p className="whitespace-pre-wrap" dir="auto">{text}</p>
  return (
    <ReactMarkdown remarkPlugins={plugins} remarkRehypeOptions={footnotes} rehypePlugins={rehypePlugins} urlTransform={address} components={settled ? whole : growing}>
      {text}
    </ReactMarkdown>
  )
})

const components = (settled: boolean): Components => ({
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" onClick={openOutside}>
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) => <Picture src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children, node }) => {
    const language = /language-(\S+)/.exec(className ?? '')?.[1] ?? ''
    const code = textOf(children)
    // Only what a fence or an indentation made ends with a line break.
    const block = language !== '' || code.endsWith('\n') || (node?.position && node.position.start.line !== node.position.end.line)
    return block ? <CodeBlock code={code.replace(/\n$/, '')} language={language} settled={settled} /> : <code dir="auto">{children}</code>
  },
  table: ({ children }) => (
    // A wide table scrolls, so it has to be reachable by keyboard.
    <div className="table" role="region" aria-label={texts.messages.table} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  p: ({ children }) => <p dir="auto">{children}</p>,
  h1: ({ children }) => <h1 dir="auto">{children}</h1>,
  h2: ({ children }) => <h2 dir="auto">{children}</h2>,
  h3: ({ children }) => <h3 dir="auto">{children}</h3>,
  h4: ({ children }) => <h4 dir="auto">{children}</h4>,
  h5: ({ children }) => <h5 dir="auto">{children}</h5>,
  h6: ({ children }) => <h6 dir="auto">{children}</h6>,
  blockquote: ({ children }) => <blockquote dir="auto">{children}</blockquote>,
  td: ({ children, style }) => <td dir="auto" style={style}>{children}</td>,
  th: ({ children, style }) => <th dir="auto" style={style}>{children}</th>,
  li: ({ children, className }) => (
    <li dir="auto" className={className}>
      {children}
    </li>
  ),
})

const whole = components(true)
const growing = components(false)

function textOf(children: ReactNode): string {
  if (typeof children === 'string') return children
  if (Array.isArray(children)) return children.map(textOf).join('')
  return ''
}
