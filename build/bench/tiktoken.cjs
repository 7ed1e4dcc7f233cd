// Counts the turns of the simulation with the npm package tiktoken: see the script of the same name. The work is that of
// backend/sim after the turns are written: each text is tokenised once, cut behind line breaks as there, so that a row
// or the brief that comes again is known; then the tokens of each request and what it shares with the one before.
'use strict'

const { readFileSync } = require('node:fs')
const { get_encoding: getEncoding } = require('tiktoken')

const strategies = JSON.parse(readFileSync(0, 'utf8'))
const encoding = getEncoding('cl100k_base')
encoding.encode_ordinary('load the vocabulary')

// A piece ends with a line break that no white space with a further line break follows.
const piece = /(?:[^\n]|\n(?=\s*[\r\n]))*(?:\n|$)/gy

function table() {
  const known = new Map()
  const tokens = (text) => {
    const all = []
    for (const [line] of text.matchAll(piece)) {
      if (line === '') continue
      let of = known.get(line)
      if (of === undefined) {
        of = encoding.encode_ordinary(line)
        known.set(line, of)
      }
      all.push(of)
    }
    return all
  }
  const count = (text) => tokens(text).reduce((sum, of) => sum + of.length, 0)
  const flat = (texts) => texts.flatMap((text) => tokens(text).flatMap((of) => Array.from(of)))

  const tables = {}
  for (const [name, turns] of Object.entries(strategies)) {
    let input = 0
    let cacheable = 0
    let said = 0 // tokens of the conversation so far
    let before
    let stable
    for (const turn of turns) {
      const key = turn.head.join('\0')
      if (stable?.key !== key) stable = { key, head: flat(turn.head) }
      const now = { head: stable.head, said: said + count(turn.asked) }
      input += now.head.length + now.said
      if (before !== undefined) {
        let n = 0
        while (n < now.head.length && now.head[n] === before.head[n]) n++
        cacheable += n === now.head.length ? n + before.said : n
      }
      before = now
      said = now.said + count(turn.reply)
    }
    tables[name] = { input, cacheable }
  }
  return tables
}

const times = []
let tables
for (let i = 0; i < 15; i++) {
  const start = process.hrtime.bigint()
  tables = table()
  times.push(Number(process.hrtime.bigint() - start) / 1e6)
}
times.sort((a, b) => a - b)
process.stdout.write(JSON.stringify({ ms: times[7], tables }) + '\n')
