/** ?turn=: the turn that is chosen, by its run. */
export const cacheSearch = ({ turn }: Record<string, unknown>): { turn?: string } => (typeof turn === 'string' && /^[0-9A-Z]{26}$/.test(turn) ? { turn } : {})

/** keepWide is what the address of another view takes over: how wide they are, and no turn of this one. */
export const keepWide = ({ wide }: { wide?: true }) => (wide ? { wide } : {})
