import type { HighlighterCore, LanguageInput, ThemedToken } from 'shiki/core'

/** The languages that are highlighted, each a file of its own that is fetched when first needed. */
const languages: Record<string, () => LanguageInput> = {
  bash: () => import('@shikijs/langs/bash'),
  c: () => import('@shikijs/langs/c'),
  cpp: () => import('@shikijs/langs/cpp'),
  csharp: () => import('@shikijs/langs/csharp'),
  css: () => import('@shikijs/langs/css'),
  docker: () => import('@shikijs/langs/docker'),
  go: () => import('@shikijs/langs/go'),
  graphql: () => import('@shikijs/langs/graphql'),
  html: () => import('@shikijs/langs/html'),
  ini: () => import('@shikijs/langs/ini'),
  java: () => import('@shikijs/langs/java'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  kotlin: () => import('@shikijs/langs/kotlin'),
  lua: () => import('@shikijs/langs/lua'),
  make: () => import('@shikijs/langs/make'),
  markdown: () => import('@shikijs/langs/markdown'),
  php: () => import('@shikijs/langs/php'),
  python: () => import('@shikijs/langs/python'),
  ruby: () => import('@shikijs/langs/ruby'),
  rust: () => import('@shikijs/langs/rust'),
  sql: () => import('@shikijs/langs/sql'),
  swift: () => import('@shikijs/langs/swift'),
  toml: () => import('@shikijs/langs/toml'),
  tsx: () => import('@shikijs/langs/tsx'),
  typescript: () => import('@shikijs/langs/typescript'),
  xml: () => import('@shikijs/langs/xml'),
  yaml: () => import('@shikijs/langs/yaml'),
}

const aliases: Record<string, string> = {
  sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', 'c++': 'cpp', cs: 'csharp', 'c#': 'csharp', dockerfile: 'docker', golang: 'go',
  htm: 'html', js: 'javascript', jsx: 'tsx', mjs: 'javascript', cjs: 'javascript', jsonc: 'json', json5: 'json', kt: 'kotlin',
  makefile: 'make', md: 'markdown', py: 'python', rb: 'ruby', rs: 'rust', ts: 'typescript', mts: 'typescript', svg: 'xml', yml: 'yaml',
}

/** Longer code stays plain: colours are not worth a page that stands still. In characters. */
const longest = 50_000

let starting: Promise<HighlighterCore> | undefined

async function start(): Promise<HighlighterCore> {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }] = await Promise.all([
    import('shiki/core'),
    // The other engine is WebAssembly, which the content security policy does not allow.
    import('shiki/engine/javascript'),
  ])
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'hearth', variablePrefix: '--code-', fontStyle: false })],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
}

export type Token = Pick<ThemedToken, 'content' | 'color'>

/** languageOf is the language that a fence's word names; undefined: none that is known. */
export function languageOf(word: string): string | undefined {
  const lower = word.toLowerCase()
  const name = aliases[lower] ?? lower
  return Object.hasOwn(languages, name) ? name : undefined
}

/** highlight gives lines of coloured tokens; undefined where there is nothing to colour. */
export async function highlight(code: string, word: string): Promise<readonly Token[][] | undefined> {
  const name = languageOf(word)
  const load = name === undefined ? undefined : languages[name]
  if (name === undefined || !load || code.length > longest) return undefined
  const highlighter = await (starting ??= start())
  await highlighter.loadLanguage(load())
  return highlighter.codeToTokensBase(code, { lang: name, theme: 'hearth' })
}
