import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ProblemError } from '@/api'
import { formatFull, formatRelative, HearthProvider, texts } from '@/core'
import { ToastProvider, TooltipProvider, UiWordsProvider, type UiWords } from '@/ui'
import { Boundary } from './boundary'
import { makeHearth } from './hearth'
import { makeRouter } from './router'
import { followTheme } from './theme'

const hearth = makeHearth()
followTheme(hearth.store)

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream keeps what was fetched up to date; after a reset all is fetched anew (session.tsx).
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      networkMode: 'always', // this machine is always there
      // What the server refused it would refuse again.
      retry: (count, error) => count < 2 && error instanceof ProblemError && error.code === 'offline',
    },
    mutations: { networkMode: 'always' },
  },
})

const words: UiWords = {
  close: texts.common.close,
  undo: texts.common.undo,
  notifications: texts.common.notifications, notificationsPlace: texts.common.notificationsPlace,
  loading: texts.app.loading,
  notLoaded: texts.app.notLoaded,
  relative: formatRelative,
  full: formatFull,
}

const root = document.getElementById('app')
if (!root) throw new Error('the page has no #app')
createRoot(root).render(
  <StrictMode>
    <Boundary>
      <QueryClientProvider client={queries}>
        <HearthProvider hearth={hearth}>
          <UiWordsProvider words={words}>
            <TooltipProvider>
              <ToastProvider>
                <RouterProvider router={makeRouter()} />
              </ToastProvider>
            </TooltipProvider>
          </UiWordsProvider>
        </HearthProvider>
      </QueryClientProvider>
    </Boundary>
  </StrictMode>,
)
