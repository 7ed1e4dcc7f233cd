import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { problemOf, useHearth, useSelect } from '@/core'
import { useSetup } from '@/features/agent'

/** useSession follows the stream of events for as long as the page is open, and fetches what every view needs. */
export function useSession(): { signedOut: boolean; retry: () => void; problem: string | undefined } {
  const hearth = useHearth()
  const queries = useQueryClient()
  const retry = useRef<() => void>(undefined)
  const connection = useSelect((s) => s.connection)
  const generation = useSelect((s) => s.generation)
  const begun = useSelect((s) => s.stream !== undefined)

  useEffect(() => {
    const session = hearth.start()
    retry.current = session.retry
    const again = () => document.visibilityState === 'visible' && session.retry()
    document.addEventListener('visibilitychange', again)
    window.addEventListener('focus', again)
    // A page that is left may be kept, to be there at once when somebody goes back. Its stream would keep one of the few connections.
    window.addEventListener('pagehide', session.pause)
    window.addEventListener('pageshow', session.retry)
    // A hidden one may be frozen: then everything that happens would be kept for it.
    document.addEventListener('freeze', session.pause)
    document.addEventListener('resume', session.retry)
    return () => {
      document.removeEventListener('visibilitychange', again)
      window.removeEventListener('focus', again)
      window.removeEventListener('pagehide', session.pause)
      window.removeEventListener('pageshow', session.retry)
      document.removeEventListener('freeze', session.pause)
      document.removeEventListener('resume', session.retry)
      session.stop()
    }
  }, [hearth])

  // Events were missed: everything shown is fetched anew.
  useEffect(() => {
    if (generation > 0) void queries.invalidateQueries()
  }, [generation, queries])

  // What the stream changes is fetched after it is open, so that nothing falls between.
  const channels = useQuery({
    queryKey: ['channels'],
    queryFn: async ({ signal }) => {
      await Promise.all([hearth.loadChannels(signal), hearth.loadPermissions(signal)])
      return true
    },
    enabled: begun,
  })
  useSetup(begun)
  return {
    signedOut: connection === 'signed-out',
    retry: () => {
      retry.current?.()
      void queries.invalidateQueries()
    },
    problem: channels.isError ? problemOf(channels.error).message : undefined,
  }
}
