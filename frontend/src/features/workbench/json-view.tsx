import { ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { texts } from '@/core'
import { cx } from '@/ui'
import { jsonNodes, type JsonNode } from './json'
import { Marked } from './marked'
import { VirtualTree } from './virtual-tree'

const colours: Record<JsonNode['kind'], string> = {
  object: 'text-soft', array: 'text-soft', string: 'text-green', number: 'text-accent', boolean: 'text-accent', null: 'text-soft',
}

/** JsonView is a JSON value as a tree that can be folded. */
export function JsonView({ value, name, sought }: { value: unknown; name: string; sought: string }) {
  const [open, setOpen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const nodes = useMemo(() => jsonNodes(value, open), [value, open])
  return (
    <VirtualTree
      label={texts.workbench.json(name)}
      nodes={nodes}
      onToggle={(node, to) => setOpen(new Map(open).set(node.key, to))}
      onActivate={() => undefined}
      className="min-h-0 flex-1 py-1 font-mono text-[0.75rem] leading-5"
    >
      {(node) => (
        <div className="flex items-start gap-1">
          <ChevronRight size={12} aria-hidden className={cx('mt-1 shrink-0 text-soft transition-transform', node.open && 'rotate-90', node.open === undefined && 'invisible')} />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <span className="font-semibold"><Marked text={node.name} sought={sought} /></span>
            <span className="text-soft">: </span>
            <span className={cx(colours[node.kind], '[unicode-bidi:plaintext]')}><Marked text={node.shown} sought={sought} /></span>
          </span>
        </div>
      )}
    </VirtualTree>
  )
}
