import { Link } from '@tanstack/react-router'
import { ArrowLeft, Download, Save } from 'lucide-react'
import { useState } from 'react'
import type { WorkbenchEntry, WorkbenchPiece } from '@/api'
import { formatFull, handleOf, hearthWindow, problemOf, texts, useHearth, useSelect } from '@/core'
import { Button, CopyButton, RelativeTime, Tooltip, useToast } from '@/ui'
import { useMaker } from './bench-tree'
import { formatBytes } from './bytes'
import type { Maker, Makers } from './makers'
import { bytesAddress, queryOf } from './use-file'
import { useGo, type OpenFile } from './use-open'
import { visible } from './visible'

export interface FileHeadProps {
  channelId: string
  file: OpenFile
  entry: WorkbenchEntry | undefined
  piece: WorkbenchPiece | undefined
  makers: Makers
  onBack: () => void
}

/** FileHead is what is known of a file, and what can be done with it. */
export function FileHead({ channelId, file, entry, piece, makers, onBack }: FileHeadProps) {
  const shown = piece?.shown ?? entry?.shown ?? visible(file.path)
  const cut = shown.lastIndexOf('/') + 1
  const maker = useMaker(channelId, piece?.bench ?? '', piece && entry ? entry : undefined, makers)
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
        <div className="flex gap-1">
          {piece && (
            <CopyButton text={`${piece.bench}/${piece.path}`} done={texts.common.copied}>
              {texts.workbench.copyPath}
            </CopyButton>
          )}
          {piece && (hearthWindow() ? <SaveAs channelId={channelId} file={file} piece={piece} /> : <DownloadLink address={bytesAddress(channelId, file)} />)}
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
        {maker && <MadeBy maker={maker} />}
      </p>
      {entry && entry.description !== '' && entry.what === 'file' && <p dir="auto">{entry.description}</p>}
      {maker?.saving && maker.saving.detail !== '' && (
        <p className="flex gap-2 text-small">
          <span className="shrink-0 text-soft">{texts.workbench.command}</span>
          <code className="max-h-24 min-w-0 flex-1 overflow-y-auto font-mono text-[0.75rem] [overflow-wrap:anywhere] whitespace-pre-wrap" dir="auto">
            {maker.saving.detail.split('\n').map(visible).join('\n')}
          </code>
        </p>
      )}
    </header>
  )
}

function MadeBy({ maker: { run } }: { maker: Maker }) {
  const { channel } = useGo()
  const handle = useSelect((s) => handleOf(s, run.binding_id)) ?? texts.workbench.someone
  return (
    <Tooltip content={texts.workbench.madeIn(handle, formatFull(run.started_at ?? run.queued_at))}>
      <Link to="/c/$channel/runs/$run" params={{ channel, run: run.id }} className="rounded-sm text-accent underline underline-offset-2">
        {texts.workbench.madeBy(handle)}
      </Link>
    </Tooltip>
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

/** Texts up to this size are saved from the window, in bytes: they go through its bridge in one piece. */
const largestSaved = 8 << 20
const mostPiece = 1 << 20

/** SaveAs writes a text where the person says. The window takes texts only: what is none, or has bytes that are no UTF-8, would not be the same. */
function SaveAs({ channelId, file, piece }: { channelId: string; file: OpenFile; piece: WorkbenchPiece }) {
  const { api } = useHearth()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    let text = ''
    for (let at = 0; at < piece.size; ) {
      const part = await api.workbenchPiece(channelId, { ...queryOf(file), offset: at, limit: mostPiece })
      if (part.next_offset <= at) break
      text += part.text
      at = part.next_offset
    }
    if (text.includes('\ufffd')) { toast({ message: texts.workbench.notSaved, tone: 'error' }); return; }
    const path = await hearthWindow()?.saveFile({ name: piece.path.split('/').at(-1) ?? '', text })
    if (path) toast({ message: texts.workbench.saved(path) })
  }
  const fits = !piece.binary && piece.size <= largestSaved
  return (
    <Button
      size="sm"
      tone="quiet"
      busy={busy}
      icon={<Save size={13} aria-hidden />}
      onClick={() => {
        if (!fits) { toast({ message: texts.workbench.notSaved, tone: 'error' }); return; }
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
