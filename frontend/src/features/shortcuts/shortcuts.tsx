import { useState } from 'react'
import { commandIds, commandTable, keyNames, keysOf, onMac, texts, useHearth, useSelect, withKeys, type CommandGroup, type CommandId, type Keymap } from '@/core'
import { Button, Dialog, Segmented, TextField } from '@/ui'
import { found } from './found'
import { KeyRow } from './key-row'

const groups: CommandGroup[] = ['moving', 'message', 'agent', 'writing', 'anywhere']

/** Shortcuts shows every key there is, and changes them: it reads what the keyboard goes by. */
export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const hearth = useHearth()
  const { enterSends, keys: chosen } = useSelect((s) => s.preferences)
  const [mac, setMac] = useState(onMac)
  const [typed, setTyped] = useState('')
  const [changing, setChanging] = useState<CommandId>()
  const [before, setBefore] = useState<Keymap>()
  const choose = (keys: Keymap, undo?: Keymap) => {
    hearth.store.dispatch({ type: 'preferences', preferences: { keys } })
    setBefore(undo)
  }
  const shownOf = (id: CommandId): readonly string[] => (id === 'composer.send' && enterSends ? ['enter', ...keysOf(id, chosen)] : keysOf(id, chosen))
  // One that is for no key and gets none is for buttons.
  const offered = commandIds.filter((id) => !commandTable[id].fixed || commandTable[id].keys.length > 0)
  const ids = found(typed, offered, (id) => [texts.commands.names[id], ...shownOf(id).map((keys) => keyNames(keys, mac).join(' '))])
  return (
    <Dialog open wide keepOnEscape={changing !== undefined} onOpenChange={onClose} title={texts.commands.title} description={texts.commands.hint}>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <TextField label={texts.commands.find} type="search" value={typed} onChange={(event) => setTyped(event.target.value)} className="min-w-40 flex-1" />
        <Segmented
          label={texts.commands.system}
          value={mac ? 'mac' : 'linux'}
          options={[{ value: 'linux', text: texts.commands.systems.linux }, { value: 'mac', text: texts.commands.systems.mac }]}
          onChange={(system) => setMac(system === 'mac')}
        />
        {/* One button, so that the focus stays where it is. */}
        {(before ?? Object.keys(chosen).length > 0) && (
          <Button onClick={() => (before ? choose(before) : choose({}, chosen))}>{before ? texts.common.undo : texts.commands.reset}</Button>
        )}
      </div>
      {before && <p role="status" className="mb-4 text-soft">{texts.commands.resetDone}</p>}
      <p role="status" className="sr-only">{typed.trim() !== '' && texts.commands.found(ids.length)}</p>
      {ids.length === 0 && <p className="py-4 text-soft">{texts.commands.nothing}</p>}
      {groups.map((group) => {
        const of = ids.filter((id) => commandTable[id].group === group)
        return of.length === 0 ? null : (
          <section key={group} aria-label={texts.commands.groups[group]} className="mb-5">
            <h3 className="mb-1 text-small font-medium text-soft">{texts.commands.groups[group]}</h3>
            <ul>
              {of.map((id) => (
                <KeyRow
                  key={id}
                  id={id}
                  keys={shownOf(id)}
                  mac={mac}
                  chosen={chosen}
                  changing={changing === id}
                  onChanging={(now) => setChanging(now ? id : undefined)}
                  onChoose={choose}
                  onUsual={() => choose(withKeys(chosen, id, commandTable[id].keys))}
                />
              ))}
            </ul>
          </section>
        )
      })}
    </Dialog>
  )
}
