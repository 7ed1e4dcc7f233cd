/**
 * What the page knows and does, without React (react.tsx binds it): one store of normalised data that pure functions change by
 * what the stream tells and what is fetched, selectors over it, and the texts.
 *
 * Promises: rows of a place are one unbroken stretch in the order they were written, each once; a run never goes back from its
 * end; text that was missed is fetched again; a post is shown once, from the moment it is sent.
 */
export { apply } from './apply'
export type { Change } from './change'
export * from './commands'
export { endsOf, stepsOf } from './compare'
export { fold } from './fold'
export * from './format'
export { hearthWindow, type DeskState, type HearthWindow } from './hearth-window'
export { Hearth, pageSize, problemOf, type HearthOptions } from './hearth'
export * from './keys'
export { countHidden, plain, reveal, type Stretch } from './hidden'
export { visible, visibleName } from './visible'
export { Notifier, type Shown } from './notifier'
export { isWanted, noticeOf, type Looking, type Notice } from './notify'
export { isReply, itemsOf, selectItems, type Item } from './items'
export { HearthProvider, useAvailableCommands, useCommand, useHearth, useSelect, useSelector, useShortKeys } from './react'
export { hasEnded } from './runs'
export { linkIn, rowLink, rowPath, type LinkTo } from './links'
export { glanceOf, type Glance } from './phase'
export { putOff, settle } from './put-off'
export { loadSaved, save } from './saved'
export * from './save'
export * from './select'
export * from './state'
export { createStore, type Store } from './store'
export { locale, texts } from './texts'
export { chooseLanguage, languages, type Language } from './texts/catalogue'
export { compareTimes } from './time'
export { exactOf, ticksOf, whenOf } from './when'
