import { spoken } from './catalogue'

/**
 * Every word the page says, in the language that is spoken. A catalogue is a file a language (en.ts, ko.ts) with a part a feature
 * (en-agents.ts, ko-agents.ts); a key that a translation lacks does not compile.
 */
export const { texts, locale } = spoken()
