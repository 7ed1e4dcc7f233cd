import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Api } from '@/api'
import { createStore, formatFull, formatRelative, Hearth, HearthProvider, texts, type State } from '@/core'
import { ToastProvider, TooltipProvider, UiWordsProvider } from '@/ui'

/** renderPage shows a component as it stands in the page, on a store with this state and a server that answers like this. */
export async function renderPage(children: ReactNode, state: Partial<State> = {}, answer: (request: Request) => Response | Promise<Response> = () => new Response('{}')) {
  const store = createStore(state, (callback) => callback())
  const requests: Request[] = []
  const api = new Api(
    { offline: 'Not reached.', unreadable: (s) => `Status ${s}.` },
    {
      baseUrl: 'http://127.0.0.1',
      fetch: async (request) => {
        requests.push(request.clone())
        return answer(request)
      },
    },
  )
  const hearth = new Hearth({ api, store })
  const root = createRootRoute({ component: () => children, notFoundComponent: () => children })
  const router = createRouter({ routeTree: root, history: createMemoryHistory() })
  await router.load()
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  const words = {
    close: texts.common.close, undo: texts.common.undo, notifications: texts.common.notifications, notificationsPlace: texts.common.notificationsPlace, loading: texts.app.loading, notLoaded: texts.app.notLoaded,
    relative: formatRelative, full: formatFull,
  }
  const view = render(
    <QueryClientProvider client={queries}>
      <HearthProvider hearth={hearth}>
        <UiWordsProvider words={words}>
          <TooltipProvider>
            <ToastProvider>
              <RouterProvider router={router} />
            </ToastProvider>
          </TooltipProvider>
        </UiWordsProvider>
      </HearthProvider>
    </QueryClientProvider>,
  )
  return { ...view, hearth, store, requests }
}

/** json is an answer of the server. */
export const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json' } })
