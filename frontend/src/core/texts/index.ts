import { en } from './en'

/**
 * Every word the page says stands in one catalogue, en.ts. A translation is a file beside it of type Texts; a key that it lacks
 * does not compile.
 */
type Widen<T> = T extends string ? string : T extends (...args: infer A) => string ? (...args: A) => string : { [K in keyof T]: Widen<T[K]> }

export type Texts = Widen<typeof en>
export const texts: Texts = en
export const locale = 'en'
