/** The forms of a phrase that a language may need; `other` is always there. */
export type Forms = { other: string } & Partial<Record<Exclude<Intl.LDMLPluralRule, 'other'>, string>>

/**
 * pluralIn makes the plural helper of a language: it chooses the form for a number and writes the number where the form has #.
 */
export function pluralIn(locale: string): (n: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale)
  const digits = new Intl.NumberFormat(locale)
  return (n, forms) => (forms[rules.select(n)] ?? forms.other).replaceAll('#', digits.format(n))
}
