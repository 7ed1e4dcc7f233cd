import { pluralIn } from './plural'

const plural = pluralIn('en')

export const desk = {
  desk: {
    title: 'When the window is closed',
    quit: 'Quit',
    quitHint: 'Hearth ends. While agents are at work it asks first.',
    goOn: 'Go on in the background',
    goOnHint: 'The window goes out of sight and agents work on. Quit in the tray’s menu, Ctrl+Q or `hearth quit` ends Hearth; starting it again brings the window back.',
    goOnHintMac: 'From the next start on. ⌘Q ends Hearth; its icon in the Dock brings the window back.',
    unread: (n: number) => plural(n, { one: '# unread message', other: '# unread messages' }),
    nothing: 'Nothing to read',
    open: 'Open Hearth',
    channel: (name: string, count: string) => `${name} (${count})`,
    more: (n: number) => plural(n, { one: '# more channel', other: '# more channels' }),
    mention: 'Quick mention…',
    end: 'Quit Hearth',
    hidden: 'Hearth goes on in the background',
    inTray: 'Its icon in the tray brings the window back. Quit in the icon’s menu ends Hearth, and so does `hearth quit`.',
    withoutOne: 'Start Hearth again to bring the window back. Ctrl+Q in it ends Hearth, and so does `hearth quit`.',
  },
  quick: {
    title: 'Quick mention',
    to: 'To',
    agent: (handle: string, place: string) => `@${handle} in ${place}`,
    message: 'Message',
    send: 'Send',
    sent: (handle: string, place: string) => `Sent to @${handle} in ${place}.`,
    nobody: 'There is no agent yet',
    nobodyHint: 'A channel’s roster adds one.',
    tooLong: (n: number) => plural(n, { one: 'This is # character too long.', other: 'This is # characters too long.' }) + ' Attach it as a file in the channel.',
  },
} as const
