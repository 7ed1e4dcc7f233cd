import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { AgentDetail, AgentTool } from '@/api'
import { formatCount, texts } from '@/core'
import { cx, RelativeTime } from '@/ui'
import { Part } from './part'
import { groupsOf } from './tool-groups'

type Tools = AgentDetail['tools']

/** AgentTools are an agent's tools by where they come from, each with how often it was called; pressed, a tool says what is known of it. */
export function AgentTools({ tools }: { tools: Tools }) {
  return (
    <section aria-label={texts.closely.tools} className="flex flex-col gap-1">
      <p className="text-small font-medium">{texts.closely.tools}</p>
      {tools.known !== 'now' && <p className="text-small text-soft">{tools.known === 'no' ? texts.closely.toolsNo : texts.closely.toolsBefore}</p>}
      {groupsOf(tools).map((group) => (
        <Part key={group.key} title={group.title} note={group.tools.length || undefined}>
          {group.server && group.server.status !== 'connected' && (
            <p className="text-small text-amber [overflow-wrap:anywhere]">
              {texts.closely.serverIs(group.server.status)}
              {group.server.error && ': ' + group.server.error}
            </p>
          )}
          <ul>
            {group.tools.map((tool) => (
              <Tool key={tool.name} tool={tool} />
            ))}
          </ul>
          {group.server && group.server.left_out > 0 && <p className="text-small text-soft">{texts.closely.leftOut(group.server.left_out)}</p>}
        </Part>
      ))}
      {tools.servers_fault && <p className="text-small text-amber [overflow-wrap:anywhere]">{tools.servers_fault}</p>}
    </section>
  )
}

function Tool({ tool }: { tool: AgentTool }) {
  const [open, setOpen] = useState(false)
  const body = useId()
  const calls = tool.calls + tool.subagent_calls
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={body}
        onClick={() => setOpen(!open)}
        className="-mx-1 flex w-[calc(100%+0.5rem)] items-start gap-1 rounded-sm px-1 py-0.5 text-left hover:bg-hover"
      >
        <ChevronRight size={12} aria-hidden className={cx('mt-1 shrink-0 text-soft transition-transform', open && 'rotate-90')} />
        <span className="min-w-0 flex-1 font-mono text-[0.8125rem] leading-5 [overflow-wrap:anywhere]" dir="ltr">{tool.title}</span>
        <span className="shrink-0 text-small leading-5 text-soft tabular-nums">
          <span aria-hidden>{calls > 0 ? formatCount(calls) : '–'}</span>
          <span className="sr-only">{calls > 0 ? texts.closely.called(calls) : texts.closely.never}</span>
        </span>
      </button>
      <div id={body} hidden={!open} className="pb-2 pl-4">
        {open && <About tool={tool} />}
      </div>
    </li>
  )
}

function About({ tool }: { tool: AgentTool }) {
  const calls = tool.calls + tool.subagent_calls
  const notes = [tool.read_only && texts.closely.readOnly, tool.destructive && texts.closely.destructive, tool.open_world && texts.closely.openWorld].filter(Boolean)
  return (
    <div className="flex flex-col gap-1 text-small">
      {tool.description ? (
        <p className="[overflow-wrap:anywhere] whitespace-pre-wrap" dir="auto">{tool.description}</p>
      ) : (
        <p className="text-soft">{tool.source === 'server' ? texts.closely.noServerDescription : texts.closely.noDescription} {texts.closely.noSchema}</p>
      )}
      {notes.length > 0 && <p className="text-soft">{notes.join(texts.common.and)}</p>}
      {tool.name !== tool.title && <p className="text-soft [overflow-wrap:anywhere]">{texts.closely.fullName(tool.name)}</p>}
      <p className="text-soft tabular-nums">
        {calls > 0 ? texts.closely.called(calls) : texts.closely.never}
        {tool.subagent_calls > 0 && texts.common.and + texts.closely.bySubagents(tool.subagent_calls)}
        {tool.failed > 0 && texts.common.and + texts.closely.failed(tool.failed)}
        {tool.last_called_at && <>{texts.common.and}{texts.closely.last} <RelativeTime time={tool.last_called_at} /></>}
      </p>
      {tool.schema !== undefined && (
        <figure>
          <figcaption className="text-soft">{texts.closely.schema}</figcaption>
          <pre className="rounded-md bg-side p-2 font-mono text-[0.75rem] leading-4 [overflow-wrap:anywhere] whitespace-pre-wrap" dir="ltr">
            {JSON.stringify(tool.schema, null, 2)}
          </pre>
        </figure>
      )}
    </div>
  )
}
