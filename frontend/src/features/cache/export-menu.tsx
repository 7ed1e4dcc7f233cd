import { Copy, Download } from 'lucide-react'
import { problemOf, saveText, texts } from '@/core'
import { IconButton, Menu, MenuItem, useToast } from '@/ui'
import { fileName } from './columns'

export interface Export {
  /** What it is called in a file's name, after the channel. */
  name: readonly string[]
  csv: () => string
  /** What the API said, whole. */
  json: () => unknown
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
