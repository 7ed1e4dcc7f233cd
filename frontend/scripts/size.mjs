// Says how large the scripts are that the page needs before it shows anything, compressed, and fails above the limit.
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const limit = 300 // kB
const dist = new URL('../dist/', import.meta.url)
const page = readFileSync(new URL('index.html', dist), 'utf8')
// The module itself and what it preloads; what is imported lazily is in none of these, but for the texts in one language.
const names = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map((match) => match[1])
if (names.length === 0) throw new Error('dist/index.html names no script: run `npm run build` first')
const compressed = (name) => gzipSync(readFileSync(new URL(name, dist)), { level: 9 }).length
const catalogues = readdirSync(new URL('assets/', dist)).filter((name) => /^texts-.*\.js$/.test(name)).map((name) => 'assets/' + name)
if (catalogues.length === 0) throw new Error('dist/assets has no texts-*.js: see chunkFileNames in vite.config.ts')
names.push(catalogues.reduce((largest, name) => (compressed(name) > compressed(largest) ? name : largest)))
let total = 0
for (const name of names) {
  const size = compressed(name)
  total += size
  console.log(`${(size / 1000).toFixed(1)} kB  ${name}`)
}
console.log(`${(total / 1000).toFixed(1)} kB in all, of ${limit}`)
if (total > limit * 1000) process.exit(1)
