import type { Binding, Setup } from '@/api'
import { texts } from '@/core'

/** How an agent is signed in: it is, it is not, nobody can tell before its first turn, or its client is missing. */
export type SignedIn = 'yes' | 'no' | 'unknown' | 'missing'

export interface Signed {
  state: SignedIn
  /** In words. */
  words: string
  /** What to do about it; empty: nothing. */
  how: string
  /** What does it, to be typed into a terminal; empty: no command does. */
  command: string
}

/** signedIn says how an agent is signed in; undefined for one that needs no account, and as long as nobody has looked. */
export function signedIn(binding: Binding, setup: Setup | undefined): Signed | undefined {
  const { account } = texts
  const fine = (state: SignedIn, words: string): Signed => ({ state, words, how: '', command: '' })
  if (binding.runtime !== 'cli:claude:agent' || !setup) return undefined
  const { claude } = setup
  if (!claude.found) return { state: 'missing', words: claude.problem || account.missing, how: claude.command ? '' : claude.how, command: claude.command }
  if (binding.base_url !== '') return fine('yes', account.elsewhere(binding.base_url))
  switch (claude.signed_in) {
    case 'yes':
      return fine('yes', byWhat(claude.signed_in_by))
    case 'no':
      return { state: 'no', words: account.no, how: '', command: claude.command }
    case 'unknown':
      return { state: 'unknown', words: account.unknown, how: claude.how, command: '' }
  }
}

/** What the client, or Hearth's look at the environment, says of how. */
function byWhat(by: string): string {
  const { account } = texts
  if (by === 'claude.ai') return account.subscription
  if (/^(ANTHROPIC|CLAUDE)_/.test(by)) return account.variable(by)
  if (/^api_?key/i.test(by)) return account.key
  return by === '' ? account.yes : account.by(by)
}
