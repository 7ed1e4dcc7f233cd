/** Differences between texts, line by line, and foreign text in which nothing hides. */
export { DiffTable, type DiffLine } from './diff-table'
export { HiddenNote, Revealed } from './revealed'
