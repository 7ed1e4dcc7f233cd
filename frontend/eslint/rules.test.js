import { RuleTester } from 'eslint'
import tseslint from 'typescript-eslint'
import { afterAll, describe, it } from 'vitest'
import { layers } from './layers.js'
import { noLiteralText } from './no-literal-text.js'

RuleTester.describe = describe
RuleTester.it = it
RuleTester.afterAll = afterAll

const tester = new RuleTester({
  languageOptions: { parser: tseslint.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
})

/** @param {string} filename @param {string} code */
const at = (filename, code) => ({ filename: `/x/src/${filename}`, code })
/** @param {string} filename @param {string} code @param {string} messageId */
const bad = (filename, code, messageId) => ({ ...at(filename, code), errors: [{ messageId }] })

tester.run('layers', layers, {
  valid: [
    at('app/a.tsx', "import { x } from '@/features/run'"),
    at('features/run/a.tsx', "import { x } from '@/core'; import y from './b'; import { z } from '@/features/markdown'"),
    at('core/a.ts', "import { x } from '@/api'"),
    at('core/react.tsx', "import { x } from 'react'"),
    at('core/texts/a.ts', "import { x } from '../time'"),
    at('core/a.test.ts', "import { x } from '@/test/make'"),
    at('ui/a.tsx', "import { x } from 'react'"),
  ],
  invalid: [
    bad('core/a.ts', "import { x } from '@/features/run'", 'up'),
    bad('core/a.ts', "export * from '@/ui'", 'up'),
    bad('core/a.ts', "import { x } from 'react'", 'react'),
    bad('core/a.ts', "import { x } from 'react-dom/client'", 'react'),
    bad('api/a.ts', "import { x } from '@/core'", 'up'),
    bad('ui/a.tsx', "import { x } from '@/core'", 'up'),
    bad('features/run/a.tsx', "import { x } from '@/app/frame'", 'up'),
    bad('features/run/a.tsx', "import { x } from '@/features/markdown/blocks'", 'inside'),
    bad('features/run/a.tsx', "import { x } from '../markdown'", 'name'),
    bad('features/run/a.tsx', "const x = import('@/app/frame')", 'up'),
    bad('features/run/a.tsx', "import { x } from '@/test/make'", 'up'),
  ],
})

tester.run('no-literal-text', noLiteralText, {
  valid: [
    '<p>{texts.a}</p>',
    '<p> · {x} #</p>',
    '<p className="hello" to="/c/$channel" />',
    "<p>{a && <b>{texts.c}</b>}</p>",
    '<p>{`${a}: ${b}`}</p>',
    'toast({ message: texts.a, tone: "error" })',
  ].map((code) => at('ui/a.tsx', code)).concat(at('core/texts/en-a.ts', "const a = { title: 'Hello' }")),
  invalid: [
    '<p>Hello</p>', '<p>안녕</p>', "<p>{'Hello'}</p>", "<p>{a ? 'yes' : texts.no}</p>", '<p>{`${n} rows`}</p>', "<p>{a && 'b'}</p>",
    '<p aria-label="Hello" />', "<p title={a ?? 'none'} />", '<input placeholder={`to ${a}`} />', "toast({ message: 'Done' })", "const o = [{ value: 'a', label: b ? 'A' : texts.b }]",
  ].map((code) => bad('ui/a.tsx', code, 'literal')),
})
