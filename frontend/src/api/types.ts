import type { components, operations } from './schema'

type Schemas = components['schemas']

export type Agent = Schemas['Agent']
export type AgentState = Schemas['State']
export type AgentDetail = Schemas['AgentDetail']
export type AgentTool = Schemas['AgentTool']
/** What an agent's client can be told to do by itself. */
export type ClientCommands = Schemas['Commands']
export type ClientCommand = Schemas['Command']
export type PastLease = Schemas['PastLease']
export type ProcessEnd = Schemas['ProcessEnd']
export type Estimate = Schemas['CacheEstimate']
export type Forecast = Schemas['CacheForecast']
export type Binding = Schemas['Binding']
/** A turn that read less from the cache than it could have. */
export type CacheBreak = Schemas['CacheBreak']
export type Channel = Schemas['Channel']
/** What this Hearth found on its machine. */
export type Setup = Schemas['SetupOutputBody']
export type PageState = Schemas['PageState']
export type Permission = Schemas['Permission']
export type Person = Schemas['Person']
export type Row = Schemas['Row']
export type Version = Schemas['Version']
export type Rule = Schemas['Rule']
export type Run = Schemas['Run']
export type RunDetail = Schemas['RunDetailOutputBody']
export type SearchMatch = Schemas['SearchMatch']
export type Session = Schemas['Session']
export type Step = Schemas['Step']
export type Usage = Schemas['Usage']
export type Saving = Schemas['Saving']
/** What a run made of one file. */
export type Change = Schemas['Change']
export type ChangeMove = Schemas['ChangeMove']
export type DiffHunk = Schemas['DiffHunk']
export type StartedFresh = Schemas['StartedFresh']
export type FreshUndone = Schemas['FreshUndone']
export type Undone = Schemas['UndoOutputBody']
export type UndoOrder = Schemas['UndoInputBody']
/** What a channel's turns used and cost, and what is to be expected. */
export type Cache = Schemas['CacheOutputBody']
export type CacheTurn = Schemas['CacheTurn']
export type CacheSum = Schemas['CacheSum']
export type CacheForecast = Schemas['CacheForecast']
export type CacheTotals = Schemas['CacheTotals']
export type Spending = Schemas['Spending']
export type Strategies = Schemas['Strategies']
export type StrategyCosts = Schemas['StrategyCosts']
export type Tokens = Schemas['Tokens']
export type Worker = Schemas['Worker']
export type Workbench = Schemas['Workbench']
export type WorkbenchEntry = Schemas['WorkbenchEntry']
export type WorkbenchMatch = Schemas['WorkbenchMatch']
export type WorkbenchPiece = Schemas['WorkbenchPiece']
export type WorkbenchOrigin = Schemas['WorkbenchOrigin']
export type WorkbenchDeleted = Schemas['WorkbenchDeleted']
export type WorkbenchRefused = Schemas['WorkbenchRefused']
export type WorkbenchSettings = Schemas['WorkbenchSettings']
export type LogLine = Schemas['LogLine']
export type LogPage = Schemas['ReadLogsOutputBody']
export type Report = Schemas['Report']
export type NewChannel = Schemas['CreateChannelInputBody']
export type ChannelChange = Schemas['UpdateChannelInputBody']
export type NewBinding = Schemas['NewBinding']
export type BindingChange = Schemas['UpdateBindingInputBody']
export type NewDirectLine = Schemas['DirectInputBody']
export type Verdict = Schemas['AnswerInputBody']

/** An event of the stream as it comes over the wire: id, type, data. Narrow it by `event`. */
export type WireEvent = operations['watch-events']['responses'][200]['content']['text/event-stream']
export type EventType = WireEvent['event']

/** Every event type. A type the server learns and this list lacks fails to compile. */
const types: Record<EventType, true> = {
  ready: true,
  reset: true,
  'channel.created': true,
  'channel.updated': true,
  'channel.deleted': true,
  'binding.created': true,
  'binding.updated': true,
  'binding.deleted': true,
  'row.created': true,
  'row.updated': true,
  'row.deleted': true,
  'run.updated': true,
  'run.delta': true,
  'run.step': true,
  'run.saving': true,
  'permission.asked': true,
  'permission.answered': true,
  'spend.warned': true,
  'agent.state': true,
  'workbench.changed': true,
}
export const eventTypes = Object.keys(types) as EventType[]
