import { Layers } from 'lucide-react'
import type { ReactNode } from 'react'
import { selectUnread, selectWorkspaces, texts, useHearth, useSelect, type Workspace } from '@/core'
import { cx, Tooltip } from '@/ui'

/** useHasRail says whether there is a choice of folders at all. */
export const useHasRail = (): boolean => useSelect((s) => selectWorkspaces(s).length > 1)

/** The width of the rail, in pixels. */
export const railWidth = 48

/** WorkspaceRail groups the channels by the folder they work in: one square a folder, and one for all of them. */
export function WorkspaceRail() {
  const hearth = useHearth()
  const workspaces = useSelect(selectWorkspaces)
  const unread = useSelect(selectUnread)
  const wanted = useSelect((s) => s.preferences.workspace)
  const chosen = workspaces.some((w) => w.path === wanted) ? wanted : ''
  const choose = (workspace: string) => hearth.store.dispatch({ type: 'preferences', preferences: { workspace } })
  return (
    <nav aria-label={texts.channels.workspaces} style={{ width: railWidth }} className="flex h-full shrink-0 flex-col items-center gap-1.5 overflow-y-auto border-r border-line bg-side py-2">
      <Square label={texts.channels.allWorkspaces} unread={unread} chosen={chosen === ''} onChoose={() => choose('')}>
        <Layers size={16} aria-hidden />
      </Square>
      {workspaces.map((workspace) => (
        <WorkspaceSquare key={workspace.path} workspace={workspace} chosen={workspace.path === chosen} onChoose={() => choose(workspace.path)} />
      ))}
    </nav>
  )
}

function WorkspaceSquare({ workspace, chosen, onChoose }: { workspace: Workspace; chosen: boolean; onChoose: () => void }) {
  const unread = useSelect((s) => workspace.channels.reduce((n, c) => n + (s.unread[c.id]?.count ?? 0), 0))
  const letters = Array.from(workspace.name.split('/').at(-1) ?? '').slice(0, 2).join('')
  return (
    <Square label={workspace.path} unread={unread} chosen={chosen} onChoose={onChoose}>
      <span className="text-small font-semibold">{letters}</span>
    </Square>
  )
}

function Square({ label, unread, chosen, onChoose, children }: { label: string; unread: number; chosen: boolean; onChoose: () => void; children: ReactNode }) {
  return (
    <Tooltip content={label} side="right">
      <button
        type="button"
        aria-pressed={chosen}
        aria-label={texts.channels.workspaceUnread(label, unread)}
        onClick={onChoose}
        className={cx(
          'relative grid size-8 shrink-0 place-items-center rounded-md border transition-colors',
          chosen ? 'border-accent bg-accent-ground text-text' : 'border-line bg-raised text-soft hover:bg-hover hover:text-text',
        )}
      >
        {children}
        {unread > 0 && <span aria-hidden className="keep-colour absolute -top-0.5 -right-0.5 size-2 rounded-full bg-accent" />}
      </button>
    </Tooltip>
  )
}
