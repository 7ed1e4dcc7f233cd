export { useMentions, type Mentions, type MentionsOptions } from './use-mentions'
