import { useId, type ReactNode } from 'react'
import { noticeKinds, texts, useHearth, useSelect, type Preferences } from '@/core'
import { Button } from '@/ui'
import { ask, useWay } from './wish'

/** NoticeSettings is what to be notified of while looking elsewhere. */
export function NoticeSettings() {
  const hearth = useHearth()
  const { notify, notifyPaused } = useSelect((s) => s.preferences)
  const way = useWay()
  const id = useId()
  const set = (preferences: Partial<Preferences>) => hearth.store.dispatch({ type: 'preferences', preferences })
  const note = way === 'denied' ? texts.notify.denied : way === 'none' ? texts.notify.none : way === 'ask' ? texts.notify.allowHint : undefined
  return (
    <fieldset aria-describedby={id} className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">{texts.notify.title}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {noticeKinds.map((kind) => (
          <Check
            key={kind}
            checked={notify.includes(kind)}
            onChange={(on) => set({ notify: noticeKinds.filter((k) => (k === kind ? on : notify.includes(k))) })}
          >
            {texts.notify.kinds[kind]}
          </Check>
        ))}
        <Check checked={notifyPaused} onChange={(on) => set({ notifyPaused: on })}>
          {texts.notify.pause}
        </Check>
      </div>
      <p id={id} className="text-small text-soft">
        {texts.notify.hint} {note}
      </p>
      {way === 'ask' && (
        <div className="mt-1">
          <Button size="sm" onClick={() => void ask()}>
            {texts.notify.allow}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

function Check({ checked, onChange, children }: { checked: boolean; onChange: (on: boolean) => void; children: ReactNode }) {
  return (
    <label className="flex items-center gap-1.5">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} className="accent-accent" />
      <span>{children}</span>
    </label>
  )
}
