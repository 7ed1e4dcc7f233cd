import { Pencil, RotateCcw } from 'lucide-react'
import { commandTable, keyNames, texts, type CommandId, type Keymap } from '@/core'
import { IconButton, Kbd } from '@/ui'
import { Capture } from './capture'

interface KeyRowProps {
  id: CommandId
  keys: readonly string[]
  mac: boolean
  chosen: Keymap
  changing: boolean
  onChanging: (now: boolean) => void
  onChoose: (keys: Keymap) => void
  onUsual: () => void
}

/** KeyRow is a command with its keys, and the way to others. */
export function KeyRow({ id, keys, mac, chosen, changing, onChanging, onChoose, onUsual }: KeyRowProps) {
  const name = texts.commands.names[id]
  return (
    <li className="border-b border-line py-1">
      <div className="flex min-h-7 items-center gap-3">
        <span className="flex-1">{name}</span>
        <span className="flex shrink-0 items-center gap-1.5">
          {keys.length === 0 && <span className="text-small text-soft">{texts.commands.none}</span>}
          {keys.map((one, i) => (
            <span key={one} className="flex items-center gap-1">
              {i > 0 && <span className="text-small text-soft">{texts.commands.or}</span>}
              {keyNames(one, mac).map((sign) => (
                <Kbd key={sign}>{sign}</Kbd>
              ))}
            </span>
          ))}
        </span>
        <span className="flex w-13 shrink-0 justify-end">
          {id in chosen && (
            <IconButton size="sm" label={texts.commands.usual(name)} onClick={onUsual}>
              <RotateCcw size={13} aria-hidden />
            </IconButton>
          )}
          {!commandTable[id].fixed && (
            <IconButton size="sm" label={texts.commands.change(name)} aria-expanded={changing} onClick={() => onChanging(!changing)}>
              <Pencil size={13} aria-hidden />
            </IconButton>
          )}
        </span>
      </div>
      {changing && <Capture id={id} chosen={chosen} onChoose={onChoose} onClose={() => onChanging(false)} />}
    </li>
  )
}
