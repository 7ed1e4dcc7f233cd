import { hearthWindow, texts } from '@/core'

/** A setting, wherever it stands. */
export interface Entry {
  /** What it is called where it stands, or the heading above it. */
  label: string
  /** What is said of it there. */
  hint: string
  /** What can be chosen; looked through as the hint is, and not shown. */
  choices: string
}

const entry = (label: string, hint = '', ...choices: readonly string[]): Entry => ({ label, hint, choices: choices.join(' ') })

/** appEntries are the settings of the page itself. */
export const appEntries = (): Entry[] => [
  entry(texts.theme.label, '', texts.theme.system, texts.theme.light, texts.theme.dark),
  entry(texts.preferences.language, texts.preferences.languageHint, ...Object.values(texts.preferences.languages)),
  entry(texts.preferences.size, '', ...Object.values(texts.preferences.sizes)),
  entry(texts.notify.title, texts.notify.hint, ...Object.values(texts.notify.kinds), texts.notify.pause),
  ...(hearthWindow() ? [entry(texts.desk.title, '', texts.desk.quit, texts.desk.quitHint, texts.desk.goOn, texts.desk.goOnHint)] : []),
  entry(texts.preferences.send, '', texts.preferences.enterSendsHint, texts.preferences.modSendsHint),
]

/** benchEntries are the settings of all workbenches. */
export const benchEntries = (): Entry[] => [
  entry(texts.workbench.editor, texts.workbench.editorHint),
  entry(texts.workbench.trashDays, texts.workbench.trashDaysHint),
]

/** channelEntries are the settings that every channel has. */
export const channelEntries = (): Entry[] => [
  entry(texts.channels.name, texts.channels.nameHint),
  entry(texts.channels.topic),
  entry(texts.channels.workspace, texts.channels.workspaceHintNow),
  entry(texts.economy.git, texts.economy.gitHintNow, ...Object.values(texts.economy.gits), ...Object.values(texts.economy.gitHints)),
  entry(texts.spend.limit, texts.spend.limitHint),
]

/** agentEntries are the settings of an agent; `coordinator`: it has those of one too, `claude`: it is Claude Code. */
export function agentEntries({ coordinator, claude }: { coordinator: boolean; claude: boolean }): Entry[] {
  const { agent, economy } = texts
  return [
    entry(agent.handle, agent.handleHint),
    entry(agent.runtime, '', ...Object.values(agent.runtimes)),
    entry(agent.mode, '', ...Object.values(agent.modes)),
    ...(claude ? [entry(agent.model, agent.modelHint), entry(agent.elsewhere, agent.elsewhereHint, agent.baseUrl, agent.token)] : []),
    entry(economy.role, economy.roleHint, ...Object.values(economy.roles), ...Object.values(economy.roleHints)),
    ...(coordinator ? [entry(economy.hands, economy.handsHint), entry(economy.glance, economy.glanceHint)] : []),
    entry(economy.spill, economy.spillHint),
    entry(agent.supervised, agent.supervisedHint),
    entry(agent.resident, agent.residentHint),
    entry(agent.briefEveryTurn, agent.briefEveryTurnHint),
  ]
}
