/** The first start: what is there, what is missing, and what to try. */
export { Welcome } from './welcome'
