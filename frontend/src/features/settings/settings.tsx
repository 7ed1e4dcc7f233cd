import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { addressOf, fold, nameOf, selectAgents, selectChannels, texts, useHearth, useSelect, useSelector } from '@/core'
import { Button, Dialog, TextField } from '@/ui'
import { AppSettings } from './app-settings'
import { agentEntries, appEntries, benchEntries, channelEntries, type Entry } from './entries'
import { focusField } from './focus-field'

export interface SettingsProps {
  /** The channel that is open: its settings and its agents' are led to. */
  channelId: string | undefined
  onClose: () => void
}

/** A setting with the way to it. */
interface Found extends Entry {
  where: string
  go: () => void
}

/** How many settings are listed at most. */
const most = 60

/** Settings is where every setting is found: those of the page here, those of channels and agents behind a word or a button. */
export default function Settings({ channelId, onClose }: SettingsProps) {
  const hearth = useHearth()
  const [typed, setTyped] = useState('')
  const own = useRef<HTMLDivElement>(null)
  const channel = useSelect((s) => (channelId === undefined ? undefined : s.channels[channelId]))
  const agents = useSelector(selectAgents, channelId ?? '')
  const openDialog = (command: 'agent.settings' | 'workbench.settings', about?: string, label?: string) => {
    onClose()
    hearth.commands.run(command, about)
    if (label !== undefined) focusField(label, () => document.querySelector('[role=dialog] form'))
  }
  const openAgent = (id: string, label?: string) => openDialog('agent.settings', id, label)
  const results = useResults(typed, {
    app: (label) => {
      setTyped('')
      focusField(label, () => own.current)
    },
    onClose,
    openAgent,
    openBench: (label) => openDialog('workbench.settings', undefined, label),
  })
  return (
    <Dialog open wide onOpenChange={onClose} title={texts.preferences.title} description={texts.preferences.hint}>
      <div className="flex flex-col gap-5">
        <TextField
          label={texts.preferences.find}
          type="search"
          value={typed}
          placeholder={texts.preferences.findPlaceholder}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            results?.[0]?.go()
          }}
        />
        {results ? (
          <Results results={results} />
        ) : (
          <>
            <div ref={own}>
              <AppSettings onGo={(command) => { onClose(); hearth.commands.run(command) }} />
            </div>
            {channel && (
              <section aria-label={nameOf(channel)} className="flex flex-col items-start gap-2 border-t border-line pt-4">
                <h3 className="font-medium" dir="auto">{nameOf(channel)}</h3>
                <p className="text-small text-soft">{texts.preferences.channelHint}</p>
                <div className="flex flex-wrap gap-2">
                  <Link
                    to="/c/$channel/settings"
                    params={{ channel: addressOf(channel) }}
                    onClick={onClose}
                    className="inline-flex h-8 items-center rounded-md border border-edge bg-raised px-3 font-medium hover:bg-hover"
                  >
                    {texts.channels.settings}
                  </Link>
                  {agents.map(({ binding }) => (
                    <Button key={binding.id} onClick={() => openAgent(binding.id)}>
                      {texts.preferences.ofAgent(binding.handle)}
                    </Button>
                  ))}
                </div>
              </section>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}

/** useResults are the settings that have every word that was typed, with the way to each; undefined while nothing is. */
function useResults(typed: string, ways: { app: (label: string) => void; onClose: () => void; openAgent: (id: string, label: string) => void; openBench: (label: string) => void }): readonly Found[] | undefined {
  const navigate = useNavigate()
  const { shared, direct } = useSelect(selectChannels)
  const bindings = useSelect((s) => s.bindings)
  const places = useMemo(
    () => [
      { where: texts.preferences.app, entries: appEntries(), way: { kind: 'app' as const } },
      { where: texts.workbench.settings, entries: benchEntries(), way: { kind: 'bench' as const } },
      ...[...shared, ...direct].map((channel) => ({ where: nameOf(channel), entries: channelEntries(), way: { kind: 'channel' as const, address: addressOf(channel) } })),
      ...[...shared, ...direct].flatMap((channel) =>
        Object.values(bindings).filter((b) => b.channel_id === channel.id).map((b) => ({
          where: texts.preferences.agentIn(b.handle, nameOf(channel)),
          entries: agentEntries({ coordinator: b.role === 'coordinator', claude: b.runtime === 'cli:claude:agent' }),
          way: { kind: 'agent' as const, id: b.id },
        })),
      ),
    ],
    [shared, direct, bindings],
  )
  const words = fold(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return undefined
  const go = (way: (typeof places)[number]['way'], label: string) => {
    if (way.kind === 'app') ways.app(label)
    else if (way.kind === 'bench') ways.openBench(label)
    else if (way.kind === 'agent') ways.openAgent(way.id, label)
    else {
      ways.onClose()
      void navigate({ to: '/c/$channel/settings', params: { channel: way.address } }).then(() =>
        focusField(label, () => document.querySelector(`form[aria-label="${CSS.escape(texts.settings.about)}"]`)),
      )
    }
  }
  const scored = places.flatMap(({ where, entries, way }) =>
    entries.flatMap((entry) => {
      const [label, rest] = [fold(entry.label), fold(`${entry.hint} ${entry.choices} ${where}`)]
      if (!words.every((word) => label.includes(word) || rest.includes(word))) return []
      return [{ ...entry, where, go: () => go(way, entry.label), inLabel: words.some((word) => label.includes(word)) }]
    }),
  )
  // What is called so comes before what only speaks of it.
  return [...scored.filter((s) => s.inLabel), ...scored.filter((s) => !s.inLabel)].slice(0, most)
}

function Results({ results }: { results: readonly Found[] }) {
  return (
    <>
      <p role="status" className={results.length > 0 ? 'sr-only' : 'text-soft'}>
        {results.length > 0 ? texts.preferences.found(results.length) : texts.preferences.nothing}
      </p>
      <ul aria-label={texts.preferences.title} className="-mx-2 flex flex-col">
        {results.map(({ where, label, hint, go }) => (
          <li key={where + label}>
            <button type="button" onClick={go} className="flex w-full flex-col rounded-md px-2 py-1.5 text-left hover:bg-hover">
              <span className="flex w-full items-baseline gap-3">
                <span className="min-w-0 flex-1 font-medium">{label}</span>
                <span className="max-w-[50%] truncate text-small text-soft" dir="auto">{where}</span>
              </span>
              {hint && <span className="line-clamp-2 text-small text-soft">{hint}</span>}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
