import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useEffect } from 'react'
import { download, formatCount, hearthWindow, problemOf, texts, useHearth } from '@/core'
import { Button, Dialog, ErrorNote, Spinner, useToast } from '@/ui'

/** Report makes a report and shows every file of it before it is saved: what is shown is what is written. */
export default function Report({ onClose }: { onClose: () => void }) {
  const { api } = useHearth()
  const toast = useToast()
  const made = useMutation({ mutationFn: () => api.makeReport() })
  const { mutate } = made
  useEffect(() => mutate(), [mutate])
  const report = made.data
  const save = useMutation({
    mutationFn: async () => {
      if (!report) return
      const path = `/api/reports/${encodeURIComponent(report.id)}`
      const window = hearthWindow()
      if (window) {
        const saved = await window.saveDownload({ title: texts.report.saveTitle, name: report.name, path })
        if (saved === null) return
        toast({ message: texts.report.saved(saved) })
      } else {
        download(report.name, path)
      }
      onClose()
    },
  })
  const problem = made.error ?? save.error
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={texts.report.title}
      description={texts.report.hint}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          {made.isError ? (
            <Button tone="main" onClick={() => mutate()}>{texts.common.tryAgain}</Button>
          ) : (
            <Button tone="main" icon={<Download size={14} aria-hidden />} disabled={!report} busy={save.isPending} onClick={() => save.mutate()}>
              {texts.report.save}
            </Button>
          )}
        </>
      }
    >
      {problem && <ErrorNote>{problemOf(problem).message}</ErrorNote>}
      {made.isPending && (
        <p role="status" className="flex items-center gap-2 text-soft">
          <Spinner /> {texts.report.making}
        </p>
      )}
      {report && (
        <ul className="flex flex-col divide-y divide-line">
          {report.files.map((file) => (
            <li key={file.name}>
              <details className="group">
                <summary className="flex cursor-default flex-wrap items-baseline gap-x-3 rounded-md py-1.5 hover:bg-hover">
                  <span className="font-mono text-small font-medium">{file.name}</span>
                  <span className="min-w-0 flex-1 text-soft">{file.about}</span>
                  <span className="text-small text-soft tabular-nums">{texts.report.size(formatCount(file.size))}</span>
                </summary>
                {/* Scrolled by keyboard too. */}
                {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
                <pre tabIndex={0} className="mb-2 max-h-72 overflow-auto rounded-md border border-line bg-side p-3 font-mono text-small [overflow-wrap:anywhere] whitespace-pre-wrap">
                  {file.text}
                </pre>
              </details>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
