/** Attributes that people read or hear. */
const said = new Set(['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'alt', 'title', 'placeholder', 'label', 'hint', 'description', 'content'])

/** Fields of objects that components are told what to say with, such as toast({ message }). */
const told = new Set(['message', 'label', 'hint', 'placeholder'])

/** Where components are: the catalogue itself has such fields too. */
const components = /\/src\/(app|features|ui)\//

/** A text has words when it has a letter; signs such as · and # are no words. @param {unknown} text */
const hasWords = (text) => typeof text === 'string' && /\p{L}/u.test(text)

/**
 * Words stand in the catalogue (core/texts), not in components.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const noLiteralText = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { literal: 'Put this text into the catalogue (src/core/texts/en.ts) and use it from there.' },
  },
  create(context) {
    /** The literals that an expression may come out as. @param {any} node @returns {any[]} */
    const literals = (node) => {
      switch (node?.type) {
        case 'Literal':
          return hasWords(node.value) ? [node] : []
        case 'TemplateLiteral':
          return node.quasis.some((/** @type {any} */ q) => hasWords(q.value.cooked)) ? [node] : []
        case 'ConditionalExpression':
          return [...literals(node.consequent), ...literals(node.alternate)]
        case 'LogicalExpression':
          return [...(node.operator === '&&' ? [] : literals(node.left)), ...literals(node.right)]
        default:
          return []
      }
    }
    /** @param {any} node */
    const report = (node) => literals(node).forEach((literal) => context.report({ node: literal, messageId: 'literal' }))
    return {
      JSXText: (/** @type {any} */ node) => hasWords(node.value) && context.report({ node, messageId: 'literal' }),
      JSXExpressionContainer: (/** @type {any} */ node) => node.parent.type !== 'JSXAttribute' && report(node.expression),
      JSXAttribute: (/** @type {any} */ node) => {
        if (!said.has(node.name.name)) return
        report(node.value?.type === 'JSXExpressionContainer' ? node.value.expression : node.value)
      },
      Property: (/** @type {any} */ node) => components.test(context.filename) && !node.computed && told.has(node.key.name) && report(node.value),
    }
  },
}
