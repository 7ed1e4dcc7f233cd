import { Ellipsis, FolderTree, ListChecks, Settings2, Trash2 } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Workbench } from '@/api'
import { problemOf, texts, useCommand, useHearth } from '@/core'
import { Button, cx, EmptyState, ErrorNote, IconButton, Menu, MenuItem, Skeleton, useSettled } from '@/ui'
import { BenchTree, canChoose } from './bench-tree'
import { Deleted } from './deleted'
import { Found, FindField, useFound } from './find'
import { Preview } from './preview'
import { benchNodes, entryKey, type BenchNode } from './tree'
import { useBenches, useNews } from './use-benches'
import { useGo, useOpen, useShowsDeleted, type FileName, type OpenFile } from './use-open'
import { useDelete, type BenchFile } from './use-trash'
import './workbench.css'

export interface WorkbenchViewProps {
  channelId: string
}

/** How long after the last letter is looked for what was typed, in milliseconds. */
const typingPause = 150

/** WorkbenchView is a channel's workbenches: all files at the left, the one that the address names at the right, or in its place where there is no room. */
export default function WorkbenchView({ channelId }: WorkbenchViewProps) {
  useNews(channelId)
  const { benches, overview, more } = useBenches(channelId)
  const file = useOpen()
  const go = useGo()
  const showsDeleted = useShowsDeleted()
  const isOpen = file.path !== '' || showsDeleted
  /** Files that are being chosen, by their keys in the tree. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, BenchFile>>()
  const hearth = useHearth()

  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const settled = useSettled(text, typingPause)
  // Empty at once.
  const sought = useDeferredValue(text === '' ? '' : settled)
  const found = useFound(channelId, sought)

  const held = useMemo(() => benches && heldEntry(benches, file), [benches, file])
  const [open, setOpen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const nodes = useMemo(() => (benches ? benchNodes(benches, open) : []), [benches, open])
  const several = (benches?.length ?? 0) > 1
  const selected = held?.key ?? (isOpen && benches?.[0] && file.path === 'INDEX.md' ? `${file.search.bench ?? benches[0].path}\nINDEX.md` : undefined)
  // The folders that the open file is in are opened once, when it is.
  const reveal = held?.folders.join('\r')
  useEffect(() => {
    if (reveal) setOpen((now) => new Map([...now, ...reveal.split('\r').map((key) => [key, true] as const)]))
  }, [reveal])

  const list = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const room = useRef<HTMLDivElement>(null)
  // Where the list makes room for the file, the focus goes with it.
  const isNarrow = () => list.current?.offsetParent === null
  useEffect(() => {
    if (isOpen && isNarrow()) room.current?.querySelector<HTMLElement>('[data-back]')?.focus()
  }, [isOpen, file.path])
  const toList = async () => {
    await go.none()
    requestAnimationFrame(() => requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(typed ? 'input' : '[role="tree"]')?.focus()))
  }
  useCommand('close', () => (setChosen(undefined), true), chosen !== undefined)
  useCommand('close', () => isNarrow() && (void toList(), true), isOpen)
  const remove = useDelete(channelId, async (gone) => {
    // What is open and was deleted is no more to be seen.
    if (gone.some((d) => (!file.search.bench || d.bench === file.search.bench) && (file.search.bytes ? d.path_bytes === file.search.bytes : d.path === file.path))) await toList()
  })

  if (!benches) {
    return overview.isError ? (
      <ErrorNote className="m-4" action={<Button size="sm" onClick={() => void overview.refetch()}>{texts.common.tryAgain}</Button>}>{problemOf(overview.error).message}</ErrorNote>
    ) : (
      <Skeleton lines={6} className="p-4" />
    )
  }
  const faults = benches.filter((bench) => bench.fault !== '')
  if (!benches.some((bench) => bench.exists || bench.fault !== '')) {
    return <EmptyState icon={<FolderTree size={24} aria-hidden />} title={texts.workbench.none} hint={texts.workbench.noneHint} />
  }
  const onDelete = (bench: string, { path, path_bytes }: FileName) => void remove([{ bench, file: { path, path_bytes } }])
  const onOpen = (node: BenchNode) => {
    if (chosen && canChoose(node)) {
      const next = new Map(chosen)
      if (!next.delete(node.key)) next.set(node.key, { bench: node.bench.path, file: node.entry })
      setChosen(next)
      return
    }
    const bench = several && node.bench !== benches[0] ? node.bench.path : undefined
    if (node.type === 'file') go.open(node.entry, { bench })
    if (node.type === 'index') go.open({ path: 'INDEX.md', path_bytes: '' }, { bench })
  }
  return (
    <div className="@container h-full">
      <div className="flex h-full">
        <div ref={list} className={cx('min-h-0 min-w-0 flex-col @2xl:flex @2xl:w-[clamp(15rem,34%,26rem)] @2xl:shrink-0 @2xl:border-e @2xl:border-line', isOpen ? 'hidden' : 'flex w-full')}>
          <div className="flex shrink-0 items-center pe-2">
            <FindField value={typed} onChange={setTyped} field={field} onDown={() => list.current?.querySelector<HTMLElement>('#workbench-found a, [role="tree"]')?.focus()} />
            <Menu
              label={texts.workbench.tools}
              align="end"
              trigger={
                <IconButton label={texts.workbench.tools}>
                  <Ellipsis size={15} aria-hidden />
                </IconButton>
              }
            >
              <MenuItem icon={<ListChecks size={14} aria-hidden />} onSelect={() => { setTyped(''); setChosen(new Map()) }}>{texts.workbench.chooseSeveral}</MenuItem>
              <MenuItem icon={<Trash2 size={14} aria-hidden />} onSelect={go.deleted}>{texts.workbench.recentlyDeleted}</MenuItem>
              <MenuItem icon={<Settings2 size={14} aria-hidden />} onSelect={() => hearth.commands.run('workbench.settings')}>{texts.workbench.settings}</MenuItem>
            </Menu>
          </div>
          {faults.map((bench) => (
            <ErrorNote key={bench.path} tone="amber" className="mx-2 mb-2">{bench.fault}</ErrorNote>
          ))}
          {benches.some((bench) => bench.cut) && <ErrorNote tone="amber" className="mx-2 mb-2">{texts.workbench.cut}</ErrorNote>}
          {sought !== '' ? (
            <Found found={found} sought={sought} several={several} onTop={() => field.current?.focus()} />
          ) : (
            <BenchTree
              channelId={channelId}
              nodes={nodes}
              selected={selected}
              onToggle={(node, to) => setOpen(new Map(open).set(node.key, to))}
              onOpen={onOpen}
              onMore={more}
              onDelete={(node) => !chosen && canChoose(node) && (onDelete(node.bench.path, node.entry), true)}
              chosen={chosen && new Set(chosen.keys())}
            />
          )}
          {chosen && sought === '' && (
            <div role="group" aria-label={texts.workbench.chooseSeveral} className="flex shrink-0 items-center gap-2 border-t border-line px-3 py-2">
              <span className="min-w-0 flex-1 text-small text-soft" aria-live="polite">{chosen.size === 0 ? texts.workbench.chosenNone : texts.workbench.chosen(chosen.size)}</span>
              <Button size="sm" onClick={() => setChosen(undefined)}>{texts.common.cancel}</Button>
              <Button
                size="sm"
                disabled={chosen.size === 0}
                icon={<Trash2 size={13} aria-hidden />}
                onClick={() => {
                  setChosen(undefined)
                  void remove([...chosen.values()])
                }}
              >
                {texts.workbench.delete}
              </Button>
            </div>
          )}
        </div>
        <div ref={room} className={cx('min-w-0 flex-1', isOpen ? 'block' : 'hidden @2xl:block')}>
          {showsDeleted ? (
            <Deleted
              channelId={channelId}
              several={several}
              onBack={() => void toList()}
              onRestored={(bench, restored) => go.open(restored, { bench: several && bench !== benches[0]?.path ? bench : undefined })}
            />
          ) : isOpen ? (
            <Preview
              key={`${file.search.bench ?? ''}\n${file.path}\n${file.search.bytes ?? ''}`}
              channelId={channelId}
              file={file}
              entry={held?.entry}
              bench={held?.bench}
              onDelete={onDelete}
              sought={sought}
              onBack={() => void toList()}
            />
          ) : isEmpty(benches) ? (
            <EmptyState title={texts.workbench.nothing} hint={texts.workbench.nothingHint} />
          ) : (
            <EmptyState title={texts.workbench.choose} hint={texts.workbench.chooseHint} />
          )}
        </div>
      </div>
    </div>
  )
}

const isEmpty = (benches: readonly Workbench[]) => benches.every((bench) => bench.kinds.every((kind) => kind.entries === 0))

/** heldEntry is the entry that an address names, with its key in the tree and those of the folders it is in. */
function heldEntry(benches: readonly Workbench[], { path, search }: OpenFile) {
  if (path === '') return undefined
  for (const bench of benches) {
    if (search.bench !== undefined && search.bench !== bench.path) continue
    const entry = bench.entries.find((e) => (search.bytes ? e.path_bytes === search.bytes : e.path === path && e.path_bytes === ''))
    if (!entry) continue
    const folders = [bench.path, `${bench.path}\n${entry.kind}`]
    for (const part of entry.path.split('/').slice(1, -1)) folders.push(`${folders.at(-1) ?? ''}/${part}`)
    return { entry, bench: bench.path, key: `${bench.path}\n${entryKey(entry)}`, folders }
  }
  return undefined
}
