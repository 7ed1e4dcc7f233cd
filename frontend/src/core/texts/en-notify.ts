import { pluralIn } from './plural'

const plural = pluralIn('en')
const agent = (who: string) => (who ? `@${who}` : 'An agent')

export const notify = {
  notify: {
    one: {
      reply: (who: string, place: string) => `${agent(who)} in ${place}`,
      permission: (who: string, place: string) => `${agent(who)} asks in ${place}`,
      failed: (who: string, place: string) => `A turn of ${who ? agent(who) : 'an agent'} failed in ${place}`,
    },
    many: {
      reply: (n: number) => plural(n, { one: '# reply', other: '# replies' }),
      permission: (n: number) => plural(n, { one: '# question', other: '# questions' }),
      failed: (n: number) => plural(n, { one: '# failed turn', other: '# failed turns' }),
    },
    inPlace: (what: string, place: string) => `${what} in ${place}`,
    said: (who: string, text: string) => `@${who}: ${text}`,
    spend: 'The spending limit of today is reached.',
    title: 'Notifications',
    hint: 'While you look elsewhere. A channel’s menu mutes it.',
    kinds: { reply: 'Replies to you', permission: 'Questions of agents', failed: 'Turns that fail' },
    pause: 'Pause all of them',
    mute: 'Mute notifications',
    offer: 'Something happened while you looked elsewhere. Hearth can notify you of such things.',
    allow: 'Allow notifications',
    notNow: 'No, thanks',
    denied: 'This browser does not let Hearth notify you. Its settings for this address change that.',
    none: 'Nothing on this desktop shows notifications.',
    allowHint: 'This browser has to allow it.',
  },
} as const
