import type { en } from './en'

/** A catalogue in any language: the keys and the functions of the English one, with words of its own. */
export type Widen<T> = T extends string ? string : T extends (...args: infer A) => string ? (...args: A) => string : { [K in keyof T]: Widen<T[K]> }
export type Texts = Widen<typeof en>

/** The languages there is a catalogue of. English is what is spoken where no other fits. */
export const languages = ['en', 'ko'] as const
export type Language = (typeof languages)[number]

/** Each is a file of its own: only that of the language that is spoken is ever fetched. */
const catalogues: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('./en')).en,
  ko: async () => (await import('./ko')).ko,
}

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)

/**
 * chooseLanguage is the language that was chosen, or the first of the system's (BCP 47 tags, the dearest first) that there is a
 * catalogue of.
 */
export function chooseLanguage(chosen: Language | 'system', system: readonly string[]): Language {
  if (chosen !== 'system') return chosen
  for (const tag of system) {
    const language = tag.toLowerCase().split('-')[0]
    if (isLanguage(language)) return language
  }
  return 'en'
}

let loaded: { texts: Texts; locale: Language } | undefined

/**
 * speak loads the catalogue of a language. Texts and formats are constants of their modules, so this comes before the page's
 * modules are imported, once a page: another language is another start of the page.
 */
export async function speak(language: Language): Promise<void> {
  loaded = { texts: await catalogues[language](), locale: language }
}

/** spoken is what speak loaded. Without that it throws, so that no module can begin in a language that was not chosen. */
export function spoken(): { texts: Texts; locale: Language } {
  if (!loaded) throw new Error('no language is loaded: a module that needs texts was imported before speak (core/texts/catalogue.ts)')
  return loaded
}
