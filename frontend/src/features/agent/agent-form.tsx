import { useMutation } from '@tanstack/react-query'
import { useId, useRef, useState, type SubmitEvent } from 'react'
import type { Binding } from '@/api'
import { problemOf, selectAgents, texts, useHearth, useSelector } from '@/core'
import { Button, Choice, Dialog, ErrorNote, TextField, useToast } from '@/ui'
import { check, draftOf, problemsOf, toChange, toNew, type Draft, type Problems } from './draft'
import { EconomyFields } from './economy-fields'
import { CheckField, Group, SelectField } from './fields'

export interface AgentFormProps {
  channelId: string
  /** The agent that is changed; left out: a new one. */
  binding?: Binding
  onClose: () => void
}

const runtimes = ['cli:claude:agent', 'cli:standin:agent'] as const
const modes = ['', 'default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const
/** Short names that the client knows, to choose from. */
const models = ['opus', 'sonnet', 'haiku']

/** AgentForm adds an agent to a channel, or changes one. It begins with what is so as it opens. */
export default function AgentForm({ channelId, binding, onClose }: AgentFormProps) {
  const hearth = useHearth()
  const toast = useToast()
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const agents = useSelector(selectAgents, channelId)
  const [draft, setDraft] = useState<Draft>(() => draftOf(binding))
  const [shown, setShown] = useState<Problems>({})
  const set = (change: Partial<Draft>) => setDraft((held) => ({ ...held, ...change }))
  const others = agents.map((a) => a.binding).filter((b) => b.id !== binding?.id).map((b) => b.handle)

  /** The first field that is not right takes the focus, once it is marked. */
  const mark = (problems: Problems) => {
    setShown(problems)
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const save = useMutation({
    mutationFn: async () => {
      if (!binding) return hearth.api.createBinding(channelId, toNew(draft))
      const change = toChange(draft, binding)
      return change ? hearth.api.updateBinding(binding.id, change) : undefined
    },
    onSuccess: async (saved) => {
      onClose()
      if (!saved) return
      hearth.store.dispatch({ type: 'binding.loaded', binding: saved })
      toast({ message: binding ? texts.agent.changed(saved.handle) : texts.agent.added(saved.handle), duration: 4000 })
      // How a new agent is, its roster says.
      await hearth.loadRoster(channelId).catch(() => undefined)
    },
    onError: (error) => mark(problemsOf(error, draft)),
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const problems = check(draft, others)
    save.reset()
    mark(problems)
    if (Object.keys(problems).length === 0) save.mutate()
  }
  const claude = draft.runtime === 'cli:claude:agent'
  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => !open && onClose()}
      title={binding ? texts.agent.edit(binding.handle) : texts.agent.add}
      actions={
        <>
          <Button onClick={() => onClose()}>{texts.common.cancel}</Button>
          <Button tone="main" type="submit" form={id} busy={save.isPending}>
            {binding ? texts.agent.saveIt : texts.agent.addIt}
          </Button>
        </>
      }
    >
      <form ref={form} id={id} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {/* It scrolls away with the rest: where little can be seen, that is for the fields. */}
        <p className="text-soft">{binding ? texts.agent.editHint : texts.agent.addHint}</p>
        {save.isError && Object.keys(shown).length === 0 && <ErrorNote>{problemOf(save.error).message}</ErrorNote>}
        <TextField
          label={texts.agent.handle}
          hint={texts.agent.handleHint}
          problem={shown.handle}
          value={draft.handle}
          dir="auto"
          required
          onChange={(event) => set({ handle: event.target.value })}
        />
        <Choice
          label={texts.agent.runtime}
          value={draft.runtime}
          options={runtimes.map((value) => ({ value, text: texts.agent.runtimes[value], hint: texts.agent.runtimeHints[value] }))}
          onChange={(runtime) => set({ runtime })}
        />
        <SelectField
          label={texts.agent.mode}
          value={draft.permissionMode}
          options={modes.map((value) => ({ value, text: texts.agent.modes[value] }))}
          warning={draft.permissionMode === 'bypassPermissions' ? texts.agent.bypassWarning : undefined}
          onChange={(permissionMode) => set({ permissionMode })}
        />
        {claude && (
          <>
            <TextField
              label={texts.agent.model}
              hint={texts.agent.modelHint}
              problem={shown.model}
              value={draft.model}
              list={id + '-models'}
              onChange={(event) => set({ model: event.target.value })}
            />
            <datalist id={id + '-models'}>
              {models.map((model) => (
                <option key={model} value={model} />
              ))}
            </datalist>
            <CheckField label={texts.agent.elsewhere} note={texts.agent.elsewhereHint} checked={draft.elsewhere} onChange={(elsewhere) => set({ elsewhere })} />
            {draft.elsewhere && <Elsewhere draft={draft} hasToken={binding?.has_token ?? false} problem={shown.baseUrl} tokenProblem={shown.token} set={set} />}
          </>
        )}
        <EconomyFields draft={draft} problems={shown} set={set} />
        <Group title={texts.agent.behaviour}>
          <CheckField label={texts.agent.supervised} note={texts.agent.supervisedHint} checked={draft.supervised} onChange={(supervised) => set({ supervised })} />
          <CheckField
            label={texts.agent.resident}
            note={texts.agent.residentHint}
            checked={draft.resident && draft.supervised}
            disabled={!draft.supervised}
            onChange={(resident) => set({ resident })}
          />
          <CheckField label={texts.agent.briefEveryTurn} note={texts.agent.briefEveryTurnHint} checked={draft.briefEveryTurn} onChange={(briefEveryTurn) => set({ briefEveryTurn })} />
        </Group>
      </form>
    </Dialog>
  )
}

/** Elsewhere is where another Messages API is, and what it asks for. */
function Elsewhere({ draft, hasToken, problem, tokenProblem, set }: { draft: Draft; hasToken: boolean; problem: string | undefined; tokenProblem: string | undefined; set: (change: Partial<Draft>) => void }) {
  return (
    <div className="ml-1.5 flex flex-col gap-3 border-l border-line pl-4">
      <TextField
        label={texts.agent.baseUrl}
        hint={texts.agent.baseUrlHint}
        problem={problem}
        value={draft.baseUrl}
        inputMode="url"
        onChange={(event) => set({ baseUrl: event.target.value })}
      />
      <TextField
        label={texts.agent.token}
        hint={hasToken ? texts.agent.tokenKept : texts.agent.tokenHint}
        problem={tokenProblem}
        type="password"
        autoComplete="new-password"
        value={draft.token}
        onChange={(event) => set({ token: event.target.value, forgetToken: false })}
      />
      {hasToken && draft.token === '' && (
        <CheckField label={texts.agent.tokenForget} checked={draft.forgetToken} onChange={(forgetToken) => set({ forgetToken })} />
      )}
    </div>
  )
}
