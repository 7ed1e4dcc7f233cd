import { Check, ChevronRight, FileText, Folder, FolderOpen, Image, Link2, ListTree, PackageOpen, ScrollText, SquareTerminal, Table, TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import type { Workbench, WorkbenchEntry } from '@/api'
import { formatTokens, handleOf, texts, useSelect, visible, visibleName } from '@/core'
import { cx, RelativeTime } from '@/ui'
import { formatBytes } from './bytes'
import type { BenchNode, Kind } from './tree'
import { useOrigin } from './use-origin'
import { VirtualTree } from './virtual-tree'

export interface BenchTreeProps {
  channelId: string
  nodes: readonly BenchNode[]
  selected: string | undefined
  onToggle: (node: BenchNode, open: boolean) => void
  onOpen: (node: BenchNode) => void
  onMore: (bench: string, kind: Kind) => void
  onDelete: (node: BenchNode) => boolean
  /** Several files are being chosen; undefined: none are. */
  chosen: ReadonlySet<string> | undefined
}

/** BenchTree is all that is in a channel's workbenches: kinds, folders and files, the newest first. */
export function BenchTree({ channelId, nodes, selected, onToggle, onOpen, onMore, onDelete, chosen }: BenchTreeProps) {
  return (
    <VirtualTree
      label={texts.workbench.tree}
      nodes={nodes}
      selected={selected}
      onToggle={onToggle}
      onActivate={(node) => (node.type === 'more' ? onMore(node.bench.path, node.kind) : onOpen(node))}
      onDelete={onDelete}
      isChosen={chosen && ((node) => (canChoose(node) ? chosen.has(node.key) : undefined))}
      className="min-h-0 flex-1 py-1"
    >
      {(node) => <Row node={node} channelId={channelId} onMore={onMore} chosen={chosen && canChoose(node) ? chosen.has(node.key) : undefined} />}
    </VirtualTree>
  )
}

/** canChoose says whether a node is a file that can be deleted. */
export const canChoose = (node: BenchNode): node is Extract<BenchNode, { type: 'file' }> => node.type === 'file' && node.entry.what !== 'closed'

function Row({ node, channelId, onMore, chosen }: { node: BenchNode; channelId: string; chosen: boolean | undefined; onMore: (bench: string, kind: Kind) => void }) {
  switch (node.type) {
    case 'bench':
      return <BenchRow bench={node.bench} open={node.open} />
    case 'kind':
      return (
        <div className="flex min-h-7 flex-wrap items-center gap-x-1.5 py-0.5">
          <Chevron open={node.open} />
          <span className="min-w-0 flex-1 truncate font-semibold">{texts.workbench.kinds[node.kind]}</span>
          {node.entries > 0 && <span className="shrink-0 text-small text-soft">{texts.workbench.count(node.entries, formatBytes(node.bytes))}</span>}
          {node.entries === 0 && <span className="w-full ps-5 text-small text-soft">{texts.workbench.kindHints[node.kind]}</span>}
        </div>
      )
    case 'folder':
      return (
        <div className="flex min-h-7 items-center gap-1.5">
          <Chevron open={node.open} />
          {node.open ? <FolderOpen size={14} aria-hidden className="shrink-0 text-soft" /> : <Folder size={14} aria-hidden className="shrink-0 text-soft" />}
          <span className="min-w-0 flex-1 truncate"><bdi>{visibleName(node.name)}</bdi></span>
          <span className="shrink-0 text-small text-soft">{texts.workbench.files(node.entries)}</span>
        </div>
      )
    case 'index':
      return (
        <div className="flex min-h-7 flex-wrap items-center gap-x-1.5 py-0.5">
          <span className="w-3.5 shrink-0" />
          <ListTree size={14} aria-hidden className="shrink-0 text-soft" />
          <span className="min-w-0 flex-1 truncate font-semibold">{texts.workbench.index}</span>
          <span className="w-full ps-10 text-small text-soft">
            {node.bench.index === '' ? texts.workbench.indexNone : texts.workbench.indexHint(formatTokens(node.bench.index_tokens))}
          </span>
        </div>
      )
    case 'more':
      return <MoreRow left={node.left} onSeen={() => onMore(node.bench.path, node.kind)} />
    case 'file':
      return <FileRow bench={node.bench} entry={node.entry} name={node.name} channelId={channelId} chosen={chosen} />
  }
}

function Chevron({ open }: { open: boolean | undefined }) {
  return <ChevronRight size={14} aria-hidden className={cx('shrink-0 text-soft transition-transform', open && 'rotate-90', open === undefined && 'invisible')} />
}

function BenchRow({ bench, open }: { bench: Workbench; open: boolean | undefined }) {
  const handles = useSelect((s) => bench.binding_ids.map((id) => handleOf(s, id)).filter((h) => h !== undefined).map((h) => '@' + h).join(texts.common.and))
  return (
    <div className="py-1">
      <div className="flex items-center gap-1.5">
        <Chevron open={open} />
        <PackageOpen size={14} aria-hidden className="shrink-0 text-soft" />
        <span className="min-w-0 flex-1 truncate font-semibold" dir="auto">{bench.outside ? texts.workbench.outside : texts.workbench.inside}</span>
      </div>
      <p className="truncate ps-10 text-small text-soft" dir="ltr">{visible(bench.path)}</p>
      {handles !== '' && <p className="ps-10 text-small text-soft">{texts.workbench.usedBy(handles)}</p>}
      {bench.outside && <p className="ps-10 text-small text-soft">{texts.workbench.outsideHint}</p>}
      {!bench.exists && <p className="ps-10 text-small text-soft">{texts.workbench.notMade}</p>}
      {bench.fault !== '' && <p className="ps-10 text-small text-red">{bench.fault}</p>}
    </div>
  )
}

/** MoreRow fetches what is older as it comes into view, or when it is pressed. */
function MoreRow({ left, onSeen }: { left: number; onSeen: () => void }) {
  useEffect(() => {
    onSeen()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when it comes into view, and again when that brought less than all
  }, [left])
  return <div className="flex min-h-7 items-center ps-5 text-small text-soft">{texts.workbench.more(left)}</div>
}

function FileRow({ bench, entry, name, channelId, chosen }: { bench: Workbench; entry: WorkbenchEntry; name: string; channelId: string; chosen: boolean | undefined }) {
  const spilled = entry.kind === 'spill'
  const command = useOrigin(channelId, bench.path, spilled ? entry : undefined)?.command ?? ''
  const odd = entry.what !== 'file'
  const about = command !== '' ? command : entry.description
  return (
    <div className="flex min-h-7 gap-1.5 py-0.5">
      {chosen === undefined ? (
        <span className="w-3.5 shrink-0" />
      ) : (
        <span className={cx('mt-1 grid size-3.5 shrink-0 place-items-center rounded-xs border', chosen ? 'border-accent bg-accent text-on-accent' : 'border-edge')}>{chosen && <Check size={11} strokeWidth={3} aria-hidden />}</span>
      )}
      <span className={cx('mt-1 shrink-0', odd && entry.what !== 'link' ? 'text-amber' : 'text-soft')}>{iconOf(entry)}</span>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate"><bdi>{visibleName(name)}</bdi></span>
          {odd && <span className="shrink-0 text-small text-soft">{texts.workbench.what[entry.what]}</span>}
          {(entry.what === 'file' || entry.what === 'link') && <span className="shrink-0 text-small text-soft">{formatBytes(entry.size)}</span>}
          {entry.modified && <RelativeTime time={entry.modified} className="shrink-0 text-small text-soft" />}
        </div>
        {about !== '' && (
          <p className={cx('truncate text-small text-soft', command !== '' && 'font-mono')}><bdi>{visibleName(about)}</bdi></p>
        )}
        {(entry.written > 0 || entry.run > 0) && <p className="text-small text-soft">{texts.workbench.use(entry.written, entry.run)}</p>}
      </div>
    </div>
  )
}

function iconOf({ kind, what, path }: WorkbenchEntry) {
  const look = { size: 14, 'aria-hidden': true } as const
  if (what === 'link') return <Link2 {...look} />
  if (what !== 'file') return <TriangleAlert {...look} />
  if (kind === 'scripts') return <SquareTerminal {...look} />
  if (kind === 'spill' || /\.(log|txt)$/i.test(path)) return <ScrollText {...look} />
  if (/\.(png|jpe?g|gif|webp|avif|bmp|ico|svg)$/i.test(path)) return <Image {...look} />
  if (/\.(csv|tsv)$/i.test(path)) return <Table {...look} />
  return <FileText {...look} />
}
