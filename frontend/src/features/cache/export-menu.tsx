import { Copy, Download } from 'lucide-react'
import { hearthWindow, problemOf, texts } from '@/core'
import { IconButton, Menu, MenuItem, useToast } from '@/ui'
import { fileName } from './columns'

export interface Export {
  /** What it is called in a file's name, after the channel. */
  name: readonly string[]
  csv: () => string
  /** What the API said, whole. */
  json: () => unknown
}

/** How long a text that is being saved stays at its address, in milliseconds. */
const savedWithin = 60_000

/** saveText writes a text to a file: in a window where the person says, in a browser into its downloads. The path, where that is known. */
async function saveText(name: string, text: string, type: string): Promise<string | undefined> {
  const here = hearthWindow()
  if (here) return (await here.saveFile({ name, text })) ?? undefined
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), savedWithin)
  return undefined
}

/** ExportMenu saves or copies what a figure shows. */
export function ExportMenu({ title, export: { name, csv, json } }: { title: string; export: Export }) {
  const toast = useToast()
  const textOf = (type: 'csv' | 'json') => (type === 'csv' ? csv() : JSON.stringify(json(), null, 2) + '\n')
  const save = (type: 'csv' | 'json') =>
    void saveText(fileName(name, type), textOf(type), type === 'csv' ? 'text/csv' : 'application/json').then(
      (path) => path !== undefined && toast({ message: texts.cache.saved(path) }),
      (error: unknown) => toast({ message: problemOf(error).message, tone: 'error' }),
    )
  const copy = (type: 'csv' | 'json') =>
    void navigator.clipboard.writeText(textOf(type)).then(
      () => toast({ message: texts.cache.copied }),
      () => toast({ message: texts.cache.notCopied, tone: 'error' }),
    )
  return (
    <Menu
      label={texts.cache.export(title)}
      align="end"
      trigger={
        <IconButton size="sm" label={texts.cache.export(title)}>
          <Download size={14} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem icon={<Download size={14} aria-hidden />} onSelect={() => save('csv')}>{texts.cache.saveCsv}</MenuItem>
      <MenuItem icon={<Download size={14} aria-hidden />} onSelect={() => save('json')}>{texts.cache.saveJson}</MenuItem>
      <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={() => copy('csv')}>{texts.cache.copyCsv}</MenuItem>
      <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={() => copy('json')}>{texts.cache.copyJson}</MenuItem>
    </Menu>
  )
}
