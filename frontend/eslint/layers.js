/**
 * Imports point down: app → features → core → api. ui is a leaf that every component may use. What lies in another folder is
 * imported by its name (@/core), and a feature by its index only.
 *
 * @type {Record<string, readonly string[]>}
 */
const may = {
  app: ['features', 'core', 'api', 'ui'],
  features: ['features', 'core', 'api', 'ui'],
  core: ['api'],
  api: [],
  ui: [],
  test: ['app', 'features', 'core', 'api', 'ui'],
}

/** @param {string} file */
function placeOf(file) {
  const match = /\/src\/([^/]+)\/(?:([^/]+)\/)?/.exec(file.replaceAll('\\', '/'))
  return match ? { layer: match[1] ?? '', feature: match[1] === 'features' ? match[2] : undefined } : undefined
}

/** @type {import('eslint').Rule.RuleModule} */
export const layers = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      up: '{{from}} may not import {{to}}: imports point down (app → features → core → api; ui is a leaf).',
      inside: 'Import a feature by its index, @/features/{{feature}}: what lies inside is its own.',
      name: 'Import what lies in another folder by its name (@/…).',
      react: 'core knows no React; only core/react.tsx binds it.',
    },
  },
  create(context) {
    const here = placeOf(context.filename)
    if (!here || !(here.layer in may)) return {}
    const isTest = /\.test\.tsx?$/.test(context.filename)
    /** @param {import('estree').Node} node @param {unknown} source */
    const check = (node, source) => {
      if (typeof source !== 'string') return
      if (here.layer === 'core' && /^react($|-|\/)/.test(source) && !context.filename.endsWith('/core/react.tsx')) {
        context.report({ node, messageId: 'react' })
      }
      if (source.startsWith('../')) {
        // core has one level of folders of its own.
        if (here.layer === 'core' && !source.startsWith('../../') && /\/core\/[^/]+\/[^/]+$/.test(context.filename)) return
        context.report({ node, messageId: 'name' })
        return
      }
      const to = /^@\/([^/]+)(?:\/([^/]+))?(\/.+)?$/.exec(source)
      if (!to) return
      const [, layer = '', feature, rest] = to
      if (layer === 'test' ? !isTest : layer !== here.layer && !may[here.layer]?.includes(layer)) {
        context.report({ node, messageId: 'up', data: { from: here.layer, to: layer } })
      } else if (layer === 'features' && rest) {
        context.report({ node, messageId: 'inside', data: { feature: feature ?? '' } })
      }
    }
    return {
      ImportDeclaration: (node) => check(node, node.source.value),
      ExportNamedDeclaration: (node) => node.source && check(node, node.source.value),
      ExportAllDeclaration: (node) => check(node, node.source.value),
      ImportExpression: (node) => node.source.type === 'Literal' && check(node, node.source.value),
    }
  },
}
