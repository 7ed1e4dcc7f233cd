import { commandIds, commandTable, keyNames, texts, useSelect, type CommandGroup, type CommandId } from '@/core'
import { Dialog, Kbd } from '@/ui'

const groups: CommandGroup[] = ['moving', 'message', 'agent', 'writing', 'anywhere']

/** Shortcuts shows every key there is, from the table that the keyboard goes by. */
export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const enterSends = useSelect((s) => s.preferences.enterSends)
  const keysOf = (id: CommandId): readonly string[] => (id === 'composer.send' && enterSends ? ['enter', ...commandTable[id].keys] : commandTable[id].keys)
  return (
    <Dialog open wide onOpenChange={onClose} title={texts.commands.title} description={texts.commands.hint}>
      {/* Nothing in it takes the focus, and it may be higher than the window: it is scrolled by keyboard. */}
      <div role="region" aria-label={texts.commands.title} tabIndex={0} className="gap-8 outline-offset-4 sm:columns-2">
        {groups.map((group) => (
          <section key={group} aria-label={texts.commands.groups[group]} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-small font-medium text-soft">{texts.commands.groups[group]}</h3>
            <dl>
              {commandIds
                .filter((id) => commandTable[id].group === group && keysOf(id).length > 0)
                .map((id) => (
                  <div key={id} className="flex min-h-8 items-center gap-3 border-b border-line py-1">
                    <dt className="flex-1">{texts.commands.names[id]}</dt>
                    <dd className="flex shrink-0 items-center gap-1.5">
                      {keysOf(id).map((keys, i) => (
                        <span key={keys} className="flex items-center gap-1">
                          {i > 0 && <span className="text-small text-soft">{texts.commands.or}</span>}
                          {keyNames(keys).map((name) => (
                            <Kbd key={name}>{name}</Kbd>
                          ))}
                        </span>
                      ))}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
