import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'
import { speak } from '@/core/texts/catalogue'

// Tests speak English, and it is loaded before what they test, as in the page (app/main.ts).
await speak('en')

// The router scrolls to the top of a new page, which jsdom cannot.
vi.stubGlobal('scrollTo', () => undefined)
// Nor has it sizes or media: the window is as large as one likes.
vi.stubGlobal('ResizeObserver', class {
  observe = () => undefined
  unobserve = () => undefined
  disconnect = () => undefined
})
vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))

afterEach(() => {
  cleanup()
  localStorage.clear()
})
