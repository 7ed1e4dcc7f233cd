/** Naming somebody in a text: the completion of handles, and reading who a text names. */
export { maxRecipients, namedIn, type Named } from './addressed'
export { useMentions, type Mentions, type MentionsOptions } from './use-mentions'
export { useSuggestions, type Suggestion, type Suggestions } from './use-suggestions'
