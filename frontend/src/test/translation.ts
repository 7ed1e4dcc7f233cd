import ts from 'typescript'

/** A text of the catalogue, and what its function is called with: for each call, the arguments of it. */
export interface Entry {
  /** Such as channels.deleteTitle. */
  path: readonly string[]
  /** Undefined: the text takes nothing. */
  calls?: readonly (readonly unknown[])[]
}

/** What texts and numbers the calls are made with; each argument of a call gets another i. */
export interface World {
  text: (i: number) => string
  number: (i: number) => number
}

/** readEnglish is the type of the English catalogue. */
function readEnglish() {
  const file = ts.sys.resolvePath('src/core/texts/en.ts')
  const program = ts.createProgram([file], { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'], types: [], jsx: ts.JsxEmit.ReactJSX, paths: { '@/*': [ts.sys.resolvePath('src') + '/*'] }, strict: true, noEmit: true })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  const symbol = module && checker.getExportsOfModule(module).find(({ name }) => name === 'en')
  if (!source || !symbol) throw new Error(`${file} exports no en`)
  return { checker, source, type: checker.getTypeOfSymbolAtLocation(symbol, source) }
}
let english: ReturnType<typeof readEnglish> | undefined

/**
 * entriesOf reads from the types of the English catalogue which texts there are and what each takes, so that a new one is looked
 * at without anybody naming it here.
 */
export function entriesOf(world: World): Entry[] {
  const { checker, source, type: catalogue } = (english ??= readEnglish())
  let i = 0
  /** The values of a type that make a difference. */
  const values = (type: ts.Type, where: string): unknown[] => {
    if (type.isUnion()) return type.types.flatMap((t) => values(t, where))
    if (type.isStringLiteral() || type.isNumberLiteral()) return [type.value]
    if (type.flags & ts.TypeFlags.BooleanLiteral) return [checker.typeToString(type) === 'true']
    if (type.flags & ts.TypeFlags.String) return [world.text(i++)]
    if (type.flags & ts.TypeFlags.Number) return [world.number(i++)]
    if (type.flags & ts.TypeFlags.Undefined) return [undefined]
    if (checker.isArrayType(type)) return checker.getTypeArguments(type as ts.TypeReference).flatMap((t) => combine([values(t, where)]).map(([one]) => [one]))
    const fields = checker.getPropertiesOfType(type)
    if (!(type.flags & ts.TypeFlags.Object) || fields.length === 0) throw new Error(`${where} takes ${checker.typeToString(type)}: teach src/test/translation.ts to make one`)
    return combine(fields.map((field) => values(checker.getTypeOfSymbolAtLocation(field, source), where))).map((all) => Object.fromEntries(fields.map((field, at) => [field.name, all[at]])))
  }
  const walk = (type: ts.Type, path: readonly string[]): Entry[] => {
    const [signature] = type.getCallSignatures()
    if (signature) {
      i = 0
      return [{ path, calls: combine(signature.parameters.map((p) => values(checker.getTypeOfSymbolAtLocation(p, source), path.join('.')))) }]
    }
    if (type.flags & ts.TypeFlags.StringLike) return [{ path }]
    return checker.getPropertiesOfType(type).flatMap((p) => walk(checker.getTypeOfSymbolAtLocation(p, source), [...path, p.name]))
  }
  return walk(catalogue, [])
}

/** combine takes the first value of each, and then each of the others in turn. */
function combine(each: readonly (readonly unknown[])[]): unknown[][] {
  const first = each.map(([value]) => value)
  return [first, ...each.flatMap((all, at) => all.slice(1).map((value) => first.with(at, value)))]
}

/** saidAt is what a catalogue says at an entry: the text, or what its function makes of each call. */
export function saidAt(catalogue: unknown, { path, calls }: Entry): string[] {
  const found = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], catalogue)
  const said: unknown[] = calls ? calls.map((args) => (found as (...args: readonly unknown[]) => unknown)(...args)) : [found]
  return said.map((text) => {
    if (typeof text !== 'string') throw new Error(`${path.join('.')} says ${typeof text}, no text`)
    return text
  })
}

/** What was given to a call that must be found in what it says: of texts those of plainWorld, for a word of a fixed set is the program's. */
export const given = (args: unknown): string[] =>
  typeof args === 'string' ? (/^⟨\d+⟩$/.test(args) ? [args] : []) : typeof args === 'number' ? [String(args)] : typeof args === 'object' && args !== null ? Object.values(args).flatMap(given) : []

/** Texts and numbers that are told apart in what is said. */
export const plainWorld: World = { text: (i) => `⟨${i}⟩`, number: (i) => 23 + i }

/** What others than the catalogue put a value in for, such as {hotkey}. */
const placeholder = /\{\w+\}/g

/** Code and addresses in a text are the same in every language. */
const code = /`[^`]*`|https?:\/\/\S+|(?<![\p{L}\p{N}])[./][\w./-]+/gu

/** lostIn says where a translation leaves out what English tells: an argument, or the difference that one makes. */
export function lostIn(english: unknown, translated: unknown, entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => {
    const name = entry.path.join('.')
    const before = saidAt(english, entry)
    const after = saidAt(translated, entry)
    return (entry.calls ?? [[]]).flatMap((args, call) => [
      ...[...given(args), ...(before[call]?.match(placeholder) ?? [])].filter((value) => before[call]?.includes(value) && !after[call]?.includes(value)).map((value) => `${name} loses ${value}: ${after[call] ?? ''}`),
      ...(before[call] !== before[0] && after[call] === after[0] ? [`${name} says the same whatever ${JSON.stringify(args)} is`] : []),
    ])
  })
}

/** foreignIn says where a translation into a script other than Latin still has Latin words; `known` are those that stay. */
export function foreignIn(translated: unknown, entries: readonly Entry[], known: ReadonlySet<string>): string[] {
  return entries.flatMap((entry) =>
    saidAt(translated, entry).flatMap((text) =>
      (text.replace(code, '').replace(placeholder, '').match(/[A-Za-z][A-Za-z]+/g) ?? []).filter((word) => !known.has(word)).map((word) => `${entry.path.join('.')} has “${word}”: ${text}`),
    ),
  )
}
