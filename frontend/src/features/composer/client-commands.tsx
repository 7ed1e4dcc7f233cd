import type { Agent, ClientCommand, ClientCommands } from '@/api'
import { texts, whenOf, type Hearth } from '@/core'
import { namedIn, type Suggestion } from '@/features/mention'
import { SlashOption } from './slash-option'

/** What the clients of some agents can be told to do, by binding. */
export type Lists = Readonly<Record<string, ClientCommands>>

/** How many are suggested at once: nobody looks further. */
const most = 200

const asked = new WeakMap<Hearth, Map<string, { state: string; list: Promise<ClientCommands> }>>()

/** listsOf asks what the clients of agents can be told to do; of each anew when its process is another. What can't be had is left out. */
export async function listsOf(hearth: Hearth, agents: readonly Agent[]): Promise<Lists> {
  const held = asked.get(hearth) ?? new Map<string, { state: string; list: Promise<ClientCommands> }>()
  asked.set(hearth, held)
  const lists = await Promise.all(
    agents.map(async ({ binding, state }) => {
      const now = `${binding.runtime} ${state.native} ${state.phase}`
      let known = held.get(binding.id)
      if (known?.state !== now) {
        known = { state: now, list: hearth.api.commands(binding.id) }
        held.set(binding.id, known)
      }
      try {
        return [[binding.id, await known.list] as const]
      } catch {
        held.delete(binding.id)
        return []
      }
    }),
  )
  return Object.fromEntries(lists.flat())
}

/** Where a text is to go. */
export interface Place {
  agents: readonly Agent[]
  /** A direct line: every text addresses its agent. */
  direct: boolean
  lists: Lists
}

const namesOf = (command: ClientCommand) => [command.name, ...command.aliases]

/** addressedBy are the agents that the mentions before a command name; in a direct line its own. */
function addressedBy({ agents, direct }: Place, text: string): readonly Agent[] {
  if (direct) return agents
  const { handles } = namedIn(text, agents.map((a) => a.binding.handle))
  return agents.filter((a) => handles.includes(a.binding.handle))
}

export interface Typed {
  /** The mentions before the slash, as they stand there. */
  before: string
  /** What stands behind the slash. */
  query: string
}

/** suggest lists the commands that fit what is being typed, and what is to be known of them. Where nobody is addressed, choosing one addresses its agent. */
export function suggest(place: Place, { before, query }: Typed, put: (text: string) => void): { options: Suggestion[]; note: string } {
  const named = addressedBy(place, before)
  if (named.length > 1) return { options: [], note: texts.clientCommands.one }
  const those = named.length === 1 ? named : place.agents
  const [only] = those
  if (!only) return { options: [], note: '' }
  const several = those.length > 1
  const start = (agent: Agent) => (named.length === 1 ? before : `@${agent.binding.handle} `)
  const options = those.flatMap((agent) =>
    fitting(place.lists[agent.binding.id]?.commands ?? [], query).map((command): Suggestion => ({
      key: `${agent.binding.id}-${command.name}`,
      content: (
        <SlashOption
          name={command.name}
          hint={command.hint}
          description={command.starts_fresh ? texts.clientCommands.clear : command.description}
          whose={several ? agent.binding.handle : undefined}
        />
      ),
      choose: () => put(`${start(agent)}/${command.name}${command.hint === '' ? '' : ' '}`),
    })),
  )
  // The whole name is all there is to write: Enter sends it.
  const whole = !several && place.lists[only.binding.id]?.commands.some((c) => namesOf(c).includes(query))
  return { options: whole ? [] : options.slice(0, most), note: several ? (options.length > 0 ? texts.clientCommands.mentions : '') : noteOf(only, place.lists[only.binding.id]) }
}

/** fitting are the commands that fit what is typed: those whose name begins with it, those that another name of theirs does, those that hold it. */
function fitting(commands: readonly ClientCommand[], query: string): ClientCommand[] {
  const q = query.toLowerCase()
  const begins = (name: string) => name.toLowerCase().startsWith(q)
  const rank = (c: ClientCommand) => (begins(c.name) ? 0 : c.aliases.some(begins) ? 1 : namesOf(c).some((name) => name.toLowerCase().includes(q)) ? 2 : 3)
  return commands.filter((c) => rank(c) < 3).sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name))
}

function noteOf({ binding: { handle } }: Agent, list: ClientCommands | undefined): string {
  if (!list || list.known === 'now') return list?.commands.length === 0 ? texts.clientCommands.none(handle) : ''
  return list.known === 'no' || !list.at ? texts.clientCommands.never(handle) : texts.clientCommands.before(handle, whenOf(list.at))
}

/** A text that is a command of one agent's client, as it has to be written to reach it. */
export interface Meant {
  agent: Agent
  command: ClientCommand
  body: string
}

/** meant reads a text as a command; a sentence where it is not said whose, undefined where it is a message like any other. */
export function meant(place: Place, text: string): Meant | string | undefined {
  const match = /^\s*((?:[@＠][\p{L}\p{M}\p{N}_-]+\s+)*)\/([^\s/]+)(?=\s|$)/u.exec(text)
  const name = match?.[2]
  if (!match || name === undefined) return undefined
  const find = (agent: Agent) => place.lists[agent.binding.id]?.commands.find((c) => namesOf(c).includes(name))
  const named = addressedBy(place, text)
  if (named.length > 1) return undefined
  if (named.length === 0 && match[1] !== '') return undefined // somebody else is mentioned
  const able = (named.length === 1 ? named : place.agents).filter(find)
  const [agent] = able
  const command = agent && find(agent)
  if (!agent || !command) return undefined
  if (named.length === 0 && place.agents.length > 1) return texts.clientCommands.which(name)
  return { agent, command, body: named.length === 1 ? text.trim() : `@${agent.binding.handle} ${text.trim()}` }
}
