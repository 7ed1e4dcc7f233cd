import { FolderOpen } from 'lucide-react'
import { hearthWindow, texts } from '@/core'
import { Button, TextField } from '@/ui'

export interface FolderFieldProps {
  value: string
  onChange: (folder: string) => void
  problem?: string | undefined
  hint?: string
}

/** folderFault says what is wrong with a folder as far as the page can see; whether it is there only the server knows. */
export const folderFault = (folder: string): string | undefined =>
  folder === '' || folder.startsWith('/') ? undefined : texts.channels.workspaceFault

/** FolderField is a folder on this machine: chosen in the window's own dialog where there is a window, written otherwise. */
export function FolderField({ value, onChange, problem, hint = texts.channels.workspaceHint }: FolderFieldProps) {
  const desktop = hearthWindow()
  const choose = async () => {
    const folder = await desktop?.chooseFolder({ title: texts.channels.workspaceTitle, start: value })
    if (folder) onChange(folder)
  }
  return (
    <TextField
      label={texts.channels.workspace}
      hint={hint}
      value={value}
      dir="ltr"
      problem={folderFault(value.trim()) ?? problem}
      onChange={(event) => onChange(event.target.value)}
      end={
        desktop && (
          <Button icon={<FolderOpen size={14} aria-hidden />} onClick={() => void choose()}>
            {texts.channels.chooseFolder}
          </Button>
        )
      }
    />
  )
}
