import type { AgentDetail, AgentTool } from '@/api'
import { texts } from '@/core'

type Tools = AgentDetail['tools']

/** The tools of one origin, the most called first. */
export interface ToolGroup {
  key: string
  title: string
  tools: AgentTool[]
  /** Of an MCP server that the client tells of. */
  server?: Tools['servers'][number]
}

/** Hearth's own server, as clients call it. */
const own = 'channel'

/** groupsOf sorts tools by where they come from: Hearth, the client, each MCP server, also one without tools, and last what is not offered any more. */
export function groupsOf({ items, servers }: Tools): ToolGroup[] {
  const offered = items.filter((tool) => tool.offered)
  const of = (name: string) => offered.filter((tool) => tool.source === 'server' && tool.server === name)
  const names = [...new Set([...servers.map((s) => s.name).filter((name) => name !== own), ...offered.filter((t) => t.source === 'server').map((t) => t.server)])]
  const groups: ToolGroup[] = [
    { key: 'hearth', title: texts.closely.toolsOf.hearth, tools: offered.filter((tool) => tool.source === 'hearth') },
    { key: 'client', title: texts.closely.toolsOf.client, tools: offered.filter((tool) => tool.source === 'client') },
    ...names.map((name): ToolGroup => {
      const server = servers.find((s) => s.name === name)
      return { key: 'server ' + name, title: texts.closely.serverTools(name), tools: of(name), ...(server && { server }) }
    }),
    { key: 'gone', title: texts.closely.toolsOf.gone, tools: items.filter((tool) => !tool.offered) },
  ]
  return groups
    .filter((group) => group.tools.length > 0 || group.server)
    .map((group) => ({ ...group, tools: [...group.tools].sort((a, b) => b.calls + b.subagent_calls - (a.calls + a.subagent_calls)) }))
}
