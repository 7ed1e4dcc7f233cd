import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WorkbenchSettings } from '@/api'
import { problemOf, texts, useHearth } from '@/core'
import { Button, Dialog, ErrorNote, Skeleton, TextField, useToast } from '@/ui'

const longestKept = 365

/** BenchSettings is what a person chooses for all workbenches. */
export default function BenchSettings({ onClose }: { onClose: () => void }) {
  const { api } = useHearth()
  const { data, error } = useQuery({ queryKey: ['workbench-settings'], staleTime: 0, gcTime: 0, queryFn: ({ signal }) => api.workbenchSettings({ signal }) })
  if (data) return <Form now={data} onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} title={texts.workbench.settings}>
      {error ? <ErrorNote>{problemOf(error).message}</ErrorNote> : <Skeleton lines={4} />}
    </Dialog>
  )
}

function Form({ now, onClose }: { now: WorkbenchSettings; onClose: () => void }) {
  const { api } = useHearth()
  const queries = useQueryClient()
  const toast = useToast()
  const [editor, setEditor] = useState(now.editor)
  const [days, setDays] = useState(String(now.trash_days))
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const count = Number(days)
  const wrong = !/^\d+$/.test(days) || count < 1 || count > longestKept
  const save = () => {
    if (wrong || busy) return
    setBusy(true)
    api.changeWorkbenchSettings({ editor, trash_days: count }).then(
      () => {
        void queries.invalidateQueries({ queryKey: ['workbench'] })
        toast({ message: texts.workbench.settingsSaved })
        onClose()
      },
      (error: unknown) => {
        setProblem(problemOf(error).message)
        setBusy(false)
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.workbench.settings}
      description={texts.workbench.settingsHint}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button tone="main" busy={busy} disabled={wrong} onClick={save}>{texts.common.save}</Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField label={texts.workbench.editor} hint={texts.workbench.editorHint} problem={problem} value={editor} placeholder={texts.workbench.editorUsual} spellCheck={false} dir="ltr" onChange={(event) => setEditor(event.target.value)} />
        <TextField
          label={texts.workbench.trashDays}
          hint={texts.workbench.trashDaysHint}
          problem={wrong ? texts.workbench.trashDaysWrong(longestKept) : undefined}
          value={days}
          inputMode="numeric"
          onChange={(event) => setDays(event.target.value)}
        />
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
