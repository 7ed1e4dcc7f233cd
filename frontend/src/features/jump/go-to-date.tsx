import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { DayPicker } from 'react-day-picker'
import type { Channel } from '@/api'
import { addressOf, formatDay, nameOf, problemOf, texts, useHearth, writtenDay } from '@/core'
import { Button, Dialog, TextField, useToast } from '@/ui'
import { dayOf, daysBefore } from './day'
import './calendar.css'

export interface GoToDateProps {
  channel: Channel
  onClose: () => void
}

/** GoToDate goes to the first message of a day, or the next one after it. */
export default function GoToDate({ channel, onClose }: GoToDateProps) {
  const hearth = useHearth()
  const navigate = useNavigate()
  const toast = useToast()
  const [now] = useState(() => new Date())
  const [typed, setTyped] = useState(() => writtenDay(now))
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])
  const day = dayOf(typed)
  const [month, setMonth] = useState(now)

  const type = (text: string) => {
    setTyped(text)
    setProblem(undefined)
    const at = dayOf(text)
    if (at) setMonth(at)
  }
  const go = async (to: Date | undefined) => {
    if (!to) {
      setProblem(texts.date.fault)
      return
    }
    // What was asked before is not wanted any more, nor is anything once this is closed.
    asking.current?.abort()
    const mine = new AbortController()
    asking.current = mine
    setBusy(true)
    try {
      const { rows: [row] } = await hearth.api.rows({ channelId: channel.id, since: to.toISOString(), limit: 1 }, { signal: mine.signal })
      if (mine.signal.aborted) return
      const asked = formatDay(to.toISOString(), now)
      if (!row) {
        setProblem(texts.date.nothing(asked))
        return
      }
      if (writtenDay(new Date(row.created_at)) !== writtenDay(to) && to.getTime() > 0) toast({ message: texts.date.next(asked, formatDay(row.created_at, now)) })
      onClose()
      requestAnimationFrame(() => void navigate({ to: '/c/$channel/m/$row', params: { channel: addressOf(channel), row: row.id } }))
    } catch (error) {
      if (!mine.signal.aborted) setProblem(problemOf(error).message)
    } finally {
      if (asking.current === mine) setBusy(false)
    }
  }
  const quick = [
    { text: texts.date.today, to: daysBefore(now, 0) }, { text: texts.date.yesterday, to: daysBefore(now, 1) }, { text: texts.date.week, to: daysBefore(now, 7) },
    { text: texts.date.beginning, to: new Date(0) },
  ]
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.date.title}
      description={texts.date.in(nameOf(channel))}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button tone="main" busy={busy} onClick={() => void go(day)}>{texts.date.go}</Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          void go(day)
        }}
      >
        <TextField label={texts.date.label} hint={texts.date.hint} problem={problem} value={typed} inputMode="numeric" onFocus={(event) => event.target.select()} onChange={(event) => type(event.target.value)} />
        <div className="flex flex-wrap gap-1.5">
          {quick.map(({ text, to }) => (
            <Button key={text} size="sm" onClick={() => void go(to)}>{text}</Button>
          ))}
        </div>
        <DayPicker
          mode="single"
          className="calendar"
          showOutsideDays
          fixedWeeks
          month={month}
          onMonthChange={setMonth}
          disabled={{ after: now }}
          endMonth={now}
          {...(day ? { selected: day } : {})}
          onSelect={(to: Date | undefined) => {
            if (to) type(writtenDay(to))
          }}
          onDayClick={(to, modifiers) => {
            if (!modifiers.disabled) void go(to)
          }}
        />
      </form>
    </Dialog>
  )
}
