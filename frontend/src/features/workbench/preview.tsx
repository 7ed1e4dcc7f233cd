import { useEffect, useMemo, useState } from 'react'
import type { WorkbenchEntry, WorkbenchPiece } from '@/api'
import { hearthWindow, problemOf, texts, useHearth, visibleName } from '@/core'
import { MessageBody, useColoured } from '@/features/markdown'
import { Button, EmptyState, ErrorNote, Skeleton } from '@/ui'
import { formatBytes } from './bytes'
import { CsvTable } from './csv-table'
import { FileHead } from './file-head'
import { FileWindow } from './file-window'
import { formatOf, languageOf, limits, parsed, type Format } from './format'
import { ImageView } from './image-view'
import { JsonView } from './json-view'
import type { Look } from './text-row'
import { TextView } from './text-view'
import { bytesAddress, queryOf, useFirstPiece, useWhole } from './use-file'
import type { FileName, OpenFile } from './use-open'
import { ViewChoice, type View } from './view-choice'

export interface PreviewProps {
  channelId: string
  file: OpenFile
  /** The file as the list has it, where it is in what was fetched of that. */
  entry: WorkbenchEntry | undefined
  /** The workbench that the list has it in. */
  bench: string | undefined
  onDelete: (bench: string, file: FileName) => void
  /** What is marked wherever it stands. */
  sought: string
  onBack: () => void
}

const readable: readonly WorkbenchEntry['what'][] = ['file', 'link']

/** Preview is a file of a workbench: what is known of it, and what is in it. */
export function Preview({ channelId, file, entry, bench, sought, onDelete, onBack }: PreviewProps) {
  const odd = entry && !readable.includes(entry.what) ? entry.what : undefined
  const first = useFirstPiece(channelId, file, odd === undefined)
  const { data, isError, error } = first
  return (
    <section aria-label={visibleName(file.path)} className="flex h-full min-h-0 flex-col">
      <FileHead channelId={channelId} file={file} entry={entry} bench={data?.bench ?? bench} piece={odd ? undefined : data} onDelete={onDelete} onBack={onBack} />
      {isError && (
        <ErrorNote className="m-3" action={<Button size="sm" onClick={() => void first.refetch()}>{texts.common.tryAgain}</Button>}>
          {data ? texts.workbench.gone : problemOf(error).message}
        </ErrorNote>
      )}
      {odd && odd !== 'file' && odd !== 'link' ? (
        <EmptyState title={texts.workbench.what[odd]} hint={odd === 'closed' && entry?.description ? entry.description : texts.workbench.whatHints[odd]} />
      ) : data ? (
        <Content key={data.bench} channelId={channelId} file={file} first={data} sought={sought} onReadAgain={() => first.refetch().then(({ data: now }) => now)} />
      ) : (
        !isError && <Skeleton lines={6} className="p-4" />
      )}
    </section>
  )
}

interface ContentProps {
  channelId: string
  file: OpenFile
  first: WorkbenchPiece
  sought: string
  onReadAgain: () => Promise<WorkbenchPiece | undefined>
}

const views: Partial<Record<Format, View>> = { markdown: 'rendered', table: 'table', json: 'tree', image: 'picture' }

function Content({ channelId, file, first, sought, onReadAgain }: ContentProps) {
  const { api } = useHearth()
  const format = formatOf(first)
  const name = visibleName(first.path.split('/').at(-1) ?? first.path)
  const limit = limits[format]
  const tooLarge = limit !== undefined && first.size > limit
  const text = useWhole(channelId, file, first, limit ?? 0)
  const json = useMemo(() => (format === 'json' && text !== undefined ? parsed(text) : undefined), [format, text])
  const notJson = format === 'json' && text !== undefined && !json

  const [wanted, setWanted] = useState<View>()
  const [wrap, setWrap] = useState(false)
  const special = tooLarge || notJson ? undefined : views[format]
  // What was found is in a line of the text.
  const [led, setLed] = useState(file.search.line)
  if (led !== file.search.line) {
    setLed(file.search.line)
    if (file.search.line !== undefined) setWanted('text')
  }
  const view: View = wanted ?? (file.search.line !== undefined && format !== 'markdown' ? 'text' : (special ?? 'text'))

  const [shown] = useState(() => new FileWindow((offset, bytes, signal) => api.workbenchPiece(channelId, { ...queryOf(file), offset, limit: bytes }, { signal }), first))
  useEffect(() => shown.take(first), [shown, first])
  useEffect(() => shown.close, [shown])

  const code = useColoured(format === 'code' && first.next_offset >= first.size ? first.text : '', languageOf(first))
  const [plain, setPlain] = useState(false)
  const look: Look = useMemo(
    () => (format === 'diff' ? { kind: 'diff' } : format === 'terminal' && !plain ? { kind: 'terminal' } : code ? { kind: 'code', lines: code } : { kind: 'plain' }),
    [format, plain, code],
  )

  if (format === 'binary') {
    const size = formatBytes(first.size)
    return <EmptyState title={texts.workbench.binary} hint={hearthWindow() ? texts.workbench.binaryHintWindow(size) : texts.workbench.binaryHint(size)} />
  }
  if (format === 'empty') return <EmptyState title={texts.workbench.empty} />
  const choice = special && (format !== 'image' || first.image === 'image/svg+xml') ? [special, 'text' as const] : undefined
  return (
    <>
      <ViewChoice
        choice={choice}
        view={view}
        onView={setWanted}
        note={tooLarge ? texts.workbench.tooLarge(formatBytes(limit)) : notJson ? texts.workbench.notJson : undefined}
      />
      {view === 'picture' ? (
        <ImageView key={first.modified} address={bytesAddress(channelId, file)} name={name} />
      ) : view === 'text' ? (
        <TextView
          file={shown}
          name={name}
          look={look}
          wrap={wrap}
          onWrap={setWrap}
          colours={format === 'terminal' ? !plain : undefined}
          onColours={(on) => setPlain(!on)}
          sought={sought}
          line={file.search.line}
          onReadAgain={() => void onReadAgain().then((now) => now && shown.restart(now))}
        />
      ) : text === undefined ? (
        <Skeleton lines={6} className="p-4" />
      ) : view === 'table' ? (
        <CsvTable text={text} name={name} sought={sought} />
      ) : view === 'tree' && json ? (
        <JsonView value={json.value} name={name} sought={sought} />
      ) : (
        <div tabIndex={0} role="region" aria-label={texts.workbench.text(name)} className="min-h-0 flex-1 overflow-y-auto px-4 py-3 -outline-offset-2">
          <MessageBody id={`workbench:${first.bench}/${first.path}`} text={text} channelId={channelId} handles={noHandles} />
        </div>
      )}
    </>
  )
}

const noHandles: readonly string[] = []
