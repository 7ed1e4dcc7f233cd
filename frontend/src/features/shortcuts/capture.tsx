import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { keyNames, keysFrom, ownersOf, refusal, texts, withKeys, keysOf, type CommandId, type Keymap } from '@/core'
import { Button } from '@/ui'

interface CaptureProps {
  id: CommandId
  chosen: Keymap
  onChoose: (keys: Keymap) => void
  onClose: () => void
}

/** Capture waits for the keys that a command is to have. Keys that another has are taken from it when the person says so. */
export function Capture({ id, chosen, onChoose, onClose }: CaptureProps) {
  const field = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState<string>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => field.current?.focus(), [])

  const choose = (keys: readonly string[]) => {
    const freed = keys.flatMap((one) => ownersOf(one, id, chosen).map((other) => [other, one] as const))
    const without = freed.reduce((map, [other, one]) => withKeys(map, other, keysOf(other, map).filter((k) => k !== one)), chosen)
    onChoose(withKeys(without, id, keys))
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab' && !event.ctrlKey && !event.metaKey && !event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') {
      onClose()
      return
    }
    const keys = keysFrom(event)
    if (keys === undefined) return
    const refused = refusal(keys)
    const taken = ownersOf(keys, id, chosen)
    const names = keyNames(keys).join(' ')
    setWanted(refused ? undefined : keys)
    setProblem(
      refused ? texts.commands.refused[refused](names) : taken[0] !== undefined ? texts.commands.taken(names, texts.commands.names[taken[0]]) : undefined,
    )
    if (!refused && taken.length === 0) choose([keys])
  }
  return (
    <div className="mb-1 flex flex-wrap items-center gap-2">
      {/* Keys are all that it is for; screen readers are to hand them on. */}
      <div
        ref={field}
        role="application"
        aria-label={texts.commands.pressFor(texts.commands.names[id])}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="min-h-8 min-w-48 flex-1 rounded-md border border-dashed border-edge bg-ground px-2 py-1 text-soft focus-visible:border-accent"
      >
        <span role="status">{problem ?? texts.commands.press}</span>
      </div>
      {wanted !== undefined && problem !== undefined && (
        <Button size="sm" onClick={() => choose([wanted])}>
          {texts.commands.take}
        </Button>
      )}
      {keysOf(id, chosen).length > 0 && (
        <Button size="sm" tone="quiet" onClick={() => choose([])}>
          {texts.commands.noKeys}
        </Button>
      )}
      <Button size="sm" tone="quiet" onClick={onClose}>
        {texts.common.cancel}
      </Button>
    </div>
  )
}
