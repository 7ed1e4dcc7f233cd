import { createContext } from 'react'

/** The channel whose text this is: its folder is where pictures are looked for. Undefined: nowhere. */
export const ChannelContext = createContext<string | undefined>(undefined)
