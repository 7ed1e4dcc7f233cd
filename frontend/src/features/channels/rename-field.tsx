import { useRef, useState } from 'react'
import type { Channel } from '@/api'
import { nameOf, texts } from '@/core'
import { cx } from '@/ui'
import { useChannelActions } from './actions'

/** RenameField stands where the name stood: Enter and leaving it rename, Escape does not. What is wrong is said under it. */
export function RenameField({ channel, onDone, className }: { channel: Channel; onDone: () => void; className?: string }) {
  const { rename } = useChannelActions()
  const [name, setName] = useState(channel.name)
  const [problem, setProblem] = useState<string>()
  const going = useRef(false)
  const end = async () => {
    if (going.current) return
    going.current = true
    const wrong = await rename(channel, name.trim())
    going.current = false
    if (wrong) setProblem(wrong)
    else onDone()
  }
  return (
    <span className="relative min-w-0 flex-1">
      <input
        // It was asked for by the person, who goes on by writing.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={name}
        maxLength={80}
        dir="auto"
        spellCheck={false}
        autoComplete="off"
        aria-label={texts.channels.renameLabel(nameOf(channel))}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? 'rename-problem' : undefined}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setName(event.target.value)
          setProblem(undefined)
        }}
        onBlur={() => (problem ? onDone() : void end())}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') {
            event.preventDefault()
            void end()
          } else if (event.key === 'Escape') {
            event.preventDefault()
            event.stopPropagation()
            going.current = true // leaving it does nothing then
            onDone()
          }
        }}
        className={cx('w-full rounded-sm border border-accent bg-ground px-1 aria-invalid:border-red', className)}
      />
      {problem && (
        <span id="rename-problem" role="alert" className="absolute inset-x-0 top-full z-20 mt-1 rounded-md bg-raised px-2 py-1 text-small font-normal text-red shadow-float">
          {problem}
        </span>
      )}
    </span>
  )
}
