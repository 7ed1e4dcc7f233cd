import { useState } from 'react'
import { texts } from '@/core'

/** GoToLine asks for the number of a line. */
export function GoToLine({ onGo }: { onGo: (line: number) => void }) {
  const [typed, setTyped] = useState('')
  const line = Number(typed)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (Number.isSafeInteger(line) && line > 0) onGo(line)
      }}
    >
      <label className="flex items-center gap-1.5">
        {texts.workbench.goToLine}
        <input
          inputMode="numeric"
          value={typed}
          maxLength={12}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value.replace(/\D/g, ''))}
          className="h-6 w-16 rounded-sm border border-edge bg-ground px-1.5 text-text"
        />
      </label>
    </form>
  )
}
