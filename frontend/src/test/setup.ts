import '@testing-library/jest-dom/vitest'
import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// The router scrolls to the top of a new page, which jsdom cannot.
vi.stubGlobal('scrollTo', () => undefined)

afterEach(() => {
  cleanup()
  localStorage.clear()
})
