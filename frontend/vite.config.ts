import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { ProxyOptions } from 'vite'
import { defineConfig } from 'vitest/config'

// `npm run dev` shows the page with hot reload on top of a Hearth that runs already:
//   HEARTH_DATA_DIR=/some/folder hearth serve        (one terminal)
//   HEARTH_DATA_DIR=/some/folder npm run dev         (another)
// The server's address and token stand in that folder's server.json. They are read for every request, so Hearth may be
// started anew meanwhile. The token stays in this process: the browser never sees it.
function proxy(dataDir: string): ProxyOptions {
  const running = () => JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8')) as { addr: string; token: string }
  const here = running()
  return {
    target: `http://${here.addr}`,
    changeOrigin: true,
    configure(server) {
      server.on('proxyReq', (request) => {
        const { addr, token } = running()
        request.setHeader('Authorization', `Bearer ${token}`)
        request.setHeader('Origin', `http://${addr}`) // the server takes requests from its own page only
      })
    },
  }
}

export default defineConfig(({ command, mode }) => ({
  plugins: [react(), tailwindcss()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    target: 'es2022',
    // Small images inside the style sheet would need data: in the policy, and save nothing on loopback.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server:
    command === 'serve' && mode !== 'test' && process.env.HEARTH_DATA_DIR
      ? { proxy: { '/api': proxy(process.env.HEARTH_DATA_DIR) } }
      : {},
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}', 'eslint/**/*.test.js'],
    setupFiles: ['src/test/setup.ts'],
    restoreMocks: true,
    // A busy machine is slow, not wrong.
    testTimeout: 60_000,
  },
}))
