import type { Channel } from '@/api'
import { texts } from '@/core'
import { Choice } from '@/ui'

export type GitIgnore = Channel['git_ignore']
const choices = ['all', 'output', 'nothing'] as const satisfies readonly GitIgnore[]

/** GitField is what git is told to ignore of the workbench when it is made. `hint`: when that counts. */
export function GitField({ value, onChange, hint = texts.economy.gitHint }: { value: GitIgnore; onChange: (value: GitIgnore) => void; hint?: string }) {
  return (
    <Choice
      label={texts.economy.git}
      value={value}
      options={choices.map((choice) => ({ value: choice, text: texts.economy.gits[choice] }))}
      hint={`${texts.economy.gitHints[value]} ${hint}`}
      onChange={onChange}
    />
  )
}
