import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin, ProxyOptions } from 'vite'
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

// The entry (src/app/main.ts) loads the texts and only then begins the page. Neither should wait for the other on its way here:
// the page's code is named in index.html, so that the browser fetches it at once.
const pageAtOnce: Plugin = {
  name: 'page-at-once',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle }) {
      if (!bundle) return [] // the development server has no chunks
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const page = chunks.find((chunk) => chunk.facadeModuleId?.endsWith('/src/app/page.tsx'))
      if (!page) throw new Error('src/app/page.tsx is no chunk of its own: import it lazily (src/app/main.ts)')
      const scripts = [page.fileName, ...page.imports].filter((name) => !chunks.some((chunk) => chunk.isEntry && chunk.fileName === name))
      return [
        ...scripts.map((name) => ({ tag: 'link', injectTo: 'head' as const, attrs: { rel: 'modulepreload', crossorigin: true, href: '/' + name } })),
        ...[...(page.viteMetadata?.importedCss ?? [])].map((name) => ({ tag: 'link', injectTo: 'head' as const, attrs: { rel: 'stylesheet', crossorigin: true, href: '/' + name } })),
      ]
    },
  },
}

export default defineConfig(({ command, mode }) => ({
  plugins: [react(), tailwindcss(), pageAtOnce],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    target: 'es2022',
    // Small images inside the style sheet would need data: in the policy, and save nothing on loopback.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The catalogues are told from other chunks by their names (scripts/size.mjs).
      output: { chunkFileNames: (chunk) => (chunk.facadeModuleId?.includes('/src/core/texts/') ? 'assets/texts-[name]-[hash].js' : 'assets/[name]-[hash].js') },
    },
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
