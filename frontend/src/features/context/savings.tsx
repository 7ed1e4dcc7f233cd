import { formatCount, formatTokens, texts } from '@/core'
import type { Saving } from './kinds'

/** Savings are what Hearth kept out of an agent's context in a turn; nothing where it kept nothing. */
export function Savings({ savings }: { savings: readonly Saving[] }) {
  if (savings.length === 0) return null
  const tokens = savings.reduce((sum, s) => sum + s.tokens, 0)
  return (
    <section aria-label={texts.context.savings}>
      <h4 className="font-semibold">
        {texts.context.savings}
        {tokens > 0 && <span className="font-normal text-soft"> · {texts.context.savingsSum(formatTokens(tokens))}</span>}
      </h4>
      <ul>
        {savings.map((saving, i) => (
          <OneSaving key={i} saving={saving} />
        ))}
      </ul>
    </section>
  )
}

function OneSaving({ saving }: { saving: Saving }) {
  return (
    <li className="mt-1.5">
      <p className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1">
          <span className="font-medium">{texts.context.saving[saving.kind]}</span>
          <span className="text-soft">
            {saving.tool && ` · ${saving.tool}`}
            {saving.agent_id && ` · ${texts.context.savingWorker}`}
          </span>
        </span>
        {saving.tokens > 0 && <span className="shrink-0 text-soft">{texts.context.about(formatTokens(saving.tokens))}</span>}
      </p>
      {saving.detail && <p className="line-clamp-2 font-mono text-small break-words text-soft" dir="auto" title={saving.detail}>{saving.detail}</p>}
      {(saving.path || saving.chars > 0) && (
        <p className="text-small break-words text-soft">
          {saving.chars > 0 && texts.context.savingSize(formatCount(saving.chars), saving.lines)}
          {saving.chars > 0 && saving.path && ' · '}
          {saving.path && <span className="font-mono [overflow-wrap:anywhere]" dir="ltr">{saving.path}</span>}
        </p>
      )}
      {saving.fault && <p className="text-small text-amber">{texts.context.savingFault(saving.fault)}</p>}
    </li>
  )
}
