import { Link } from '@tanstack/react-router'
import { ArrowLeft, Download, FolderOpen, Save, SquarePen, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { WorkbenchEntry, WorkbenchOrigin, WorkbenchPiece } from '@/api'
import { formatFull, hearthWindow, problemOf, texts, useHearth, useSelect, visible, visibleName } from '@/core'
import { Button, CopyButton, IconButton, RelativeTime, Tooltip, useToast } from '@/ui'
import { formatBytes } from './bytes'
import { bytesAddress } from './use-file'
import { nameOf, useGo, type FileName, type OpenFile } from './use-open'
import { useOrigin } from './use-origin'

export interface FileHeadProps {
  channelId: string
  file: OpenFile
  entry: WorkbenchEntry | undefined
  piece: WorkbenchPiece | undefined
  /** The workbench that it is in, once that is known. */
  bench: string | undefined
  onDelete: (bench: string, file: FileName) => void
  onBack: () => void
}

/** FileHead is what is known of a file, and what can be done with it. */
export function FileHead({ channelId, file, entry, piece, bench, onDelete, onBack }: FileHeadProps) {
  const shown = piece?.shown ?? entry?.shown ?? visibleName(file.path)
  const cut = shown.lastIndexOf('/') + 1
  const origin = useOrigin(channelId, piece?.bench, piece)
  const named = piece ?? entry
  const modified = piece?.modified ?? entry?.modified
  const size = piece?.size ?? entry?.size
  return (
    <header className="flex flex-col gap-1 border-b border-line px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Button size="sm" tone="quiet" className="-ms-1 @2xl:hidden" icon={<ArrowLeft size={14} aria-hidden />} data-back onClick={onBack}>
          {texts.workbench.back}
        </Button>
        <h3 className="min-w-40 flex-1 text-title font-semibold [overflow-wrap:anywhere]">
          {cut > 0 && <span className="font-normal text-soft">{shown.slice(0, cut)}</span>}
          <bdi>{shown.slice(cut)}</bdi>
        </h3>
        <div className="flex flex-wrap gap-1">
          {piece && <OpenIn channelId={channelId} piece={piece} />}
          {piece && (
            <CopyButton text={`${piece.bench}/${piece.path}`} done={texts.common.copied}>
              {texts.workbench.copyPath}
            </CopyButton>
          )}
          {piece && (hearthWindow() ? <SaveAs channelId={channelId} file={file} piece={piece} /> : <DownloadLink address={bytesAddress(channelId, file)} />)}
          {bench !== undefined && named && named.kind !== '' && entry?.what !== 'closed' && (
            <IconButton size="sm" label={texts.workbench.delete} onClick={() => onDelete(bench, named)}>
              <Trash2 size={13} aria-hidden />
            </IconButton>
          )}
        </div>
      </div>
      <p className="flex flex-wrap gap-x-2 text-small text-soft">
        {size !== undefined && <span>{formatBytes(size)}</span>}
        {piece?.counted && !piece.binary && piece.lines > 0 && <span>{texts.workbench.lines(piece.lines)}</span>}
        {modified && (
          <span>
            {texts.workbench.changed} <RelativeTime time={modified} />
          </span>
        )}
        {entry && (entry.written > 0 || entry.run > 0) && <span title={texts.workbench.useHint}>{texts.workbench.use(entry.written, entry.run)}</span>}
        {origin && <MadeBy origin={origin} />}
      </p>
      {entry && entry.description !== '' && entry.what === 'file' && <p dir="auto">{entry.description}</p>}
      {origin && origin.command !== '' && (
        <p className="flex gap-2 text-small">
          <span className="shrink-0 text-soft">{texts.workbench.command}</span>
          <code className="max-h-24 min-w-0 flex-1 overflow-y-auto font-mono text-[0.75rem] [overflow-wrap:anywhere] whitespace-pre-wrap" dir="auto">
            {origin.command.split('\n').map(visible).join('\n')}
          </code>
        </p>
      )}
    </header>
  )
}

function MadeBy({ origin: { run_id, channel_id, handle, at } }: { origin: WorkbenchOrigin }) {
  const { channel } = useGo()
  // Another channel may have the same workspace, and its run have made it.
  const name = useSelect((s) => s.channels[channel_id]?.name) ?? channel
  return (
    <Tooltip content={texts.workbench.madeIn(handle, formatFull(at))}>
      <Link to="/c/$channel/runs/$run" params={{ channel: name, run: run_id }} className="rounded-sm text-accent underline underline-offset-2">
        {texts.workbench.madeBy(handle)}
      </Link>
    </Tooltip>
  )
}

/** OpenIn opens a file on the person's desktop: in the window and in a browser, the server does it. */
function OpenIn({ channelId, piece }: { channelId: string; piece: WorkbenchPiece }) {
  const { api } = useHearth()
  const toast = useToast()
  const [busy, setBusy] = useState<'editor' | 'folder'>()
  const open = (where: 'editor' | 'folder') => {
    setBusy(where)
    void api
      .openInWorkbench(channelId, { bench: piece.bench, ...nameOf(piece) }, where)
      .catch((error: unknown) => toast({ message: problemOf(error).message, tone: 'error' }))
      .finally(() => setBusy(undefined))
  }
  return (
    <>
      <Button size="sm" tone="quiet" busy={busy === 'editor'} icon={<SquarePen size={13} aria-hidden />} onClick={() => open('editor')}>
        {texts.workbench.edit}
      </Button>
      <IconButton size="sm" label={texts.workbench.reveal} disabled={busy === 'folder'} onClick={() => open('folder')}>
        <FolderOpen size={13} aria-hidden />
      </IconButton>
    </>
  )
}

function DownloadLink({ address }: { address: string }) {
  return (
    <a
      href={address}
      download
      className="inline-flex h-6 shrink-0 items-center gap-1.5 rounded-md px-2 text-small font-medium whitespace-nowrap transition-colors select-none hover:bg-hover"
    >
      <Download size={13} aria-hidden />
      {texts.workbench.download}
    </a>
  )
}

/** SaveAs writes a file where the person says. */
function SaveAs({ channelId, file, piece }: { channelId: string; file: OpenFile; piece: WorkbenchPiece }) {
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    const path = await hearthWindow()?.saveDownload({ name: piece.path.split('/').at(-1) ?? '', path: bytesAddress(channelId, file) })
    if (path) toast({ message: texts.workbench.saved(path) })
  }
  return (
    <Button
      size="sm"
      tone="quiet"
      busy={busy}
      icon={<Save size={13} aria-hidden />}
      onClick={() => {
        setBusy(true)
        void save()
          .catch((error: unknown) => toast({ message: problemOf(error).message, tone: 'error' }))
          .finally(() => setBusy(false))
      }}
    >
      {texts.workbench.save}
    </Button>
  )
}
