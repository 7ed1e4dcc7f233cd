import { breaks } from './en-breaks'
import { cache } from './en-cache'
import { changes } from './en-changes'
import { clientCommands } from './en-commands'
import { context } from './en-context'
import { frame } from './en-frame'
import { agents } from './en-agents'
import { economy } from './en-economy'
import { desk } from './en-desk'
import { logs } from './en-logs'
import { messages } from './en-messages'
import { roster } from './en-roster'
import { search } from './en-search'
import { notify } from './en-notify'
import { spend } from './en-spend'
import { workbench } from './en-workbench'

/** Errors end with what to do. No exclamation marks. "Warm", "cold" and "restored" are explained once, on hover. */
export const en = {
  ...frame,
  ...breaks,
  ...cache,
  ...changes,
  ...clientCommands,
  ...context,
  ...agents,
  ...desk,
  ...economy,
  ...logs,
  ...messages,
  ...roster,
  ...search,
  ...notify,
  ...spend,
  ...workbench,
  common: {
    close: 'Close',
    cancel: 'Cancel',
    undo: 'Undo',
    save: 'Save',
    tryAgain: 'Try again',
    copy: 'Copy',
    copied: 'Copied',
    more: 'More',
    you: 'You',
    and: ', ',
    at: (day: string, clock: string) => `${day}, ${clock}`,
    quantity: (n: string, unit: string) => `${n} ${unit}`,
    seconds: (n: string) => `${n}\u202fs`,
    minutes: (n: string) => `${n}\u202fmin`,
    hours: (n: string) => `${n}\u202fh`,
    notifications: 'Message from Hearth',
    notificationsPlace: 'Messages from Hearth ({hotkey})',
  },
} as const
