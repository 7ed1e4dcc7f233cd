import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { fold } from '@/core'
import { cx } from '@/ui'
import type { TreeNode } from './tree'

export interface VirtualTreeProps<N extends TreeNode> {
  label: string
  nodes: readonly N[]
  /** The node that is shown elsewhere on the page. */
  selected?: string | undefined
  onToggle: (node: N, open: boolean) => void
  /** Enter, Space or a press on what can't be opened here. */
  onActivate: (node: N) => void
  /** The Delete key. It says whether the node will go; then the next one is where the keys are. */
  onDelete?: ((node: N) => boolean) | undefined
  /** Several are being chosen: which a node is, undefined where it can't be. */
  isChosen?: ((node: N) => boolean | undefined) | undefined
  children: (node: N) => ReactElement
  className?: string
}

/** Letters that are typed within this many milliseconds are one word. */
const oneWord = 700

/**
 * VirtualTree is a tree of any size: only what can be seen of it is in the page. The focus is on the whole; arrow keys, Home, End and
 * typing move in it, Enter and Space open.
 */
export function VirtualTree<N extends TreeNode>({ label, nodes, selected, onToggle, onActivate, onDelete, isChosen, children, className }: VirtualTreeProps<N>) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const [active, setActive] = useState<string>()
  const typed = useRef({ text: '', at: 0 })
  const find = (key: string | undefined) => (key === undefined ? -1 : nodes.findIndex((node) => node.key === key))
  const found = find(active)
  const at = found >= 0 ? found : Math.max(0, find(selected))

  const go = (index: number) => {
    const node = nodes[Math.min(nodes.length - 1, Math.max(0, index))]
    if (!node) return
    setActive(node.key)
    list.current?.scrollToIndex(nodes.indexOf(node), { align: 'nearest' })
  }
  // What is chosen elsewhere, such as by a link, is shown.
  useEffect(() => {
    const index = find(selected)
    if (index < 0) return
    setActive(selected)
    list.current?.scrollToIndex(index, { align: 'nearest' })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- when it is chosen, and when it comes to be there
  }, [selected, find(selected) >= 0])

  const onKeyDown = (event: KeyboardEvent) => {
    const node = nodes[at]
    if (!node || event.altKey || event.ctrlKey || event.metaKey) return
    const press = () => (node.open === undefined ? onActivate(node) : onToggle(node, !node.open))
    const remove = () => {
      if (onDelete?.(node)) setActive((nodes[at + 1] ?? nodes[at - 1])?.key)
    }
    const steps: Partial<Record<string, () => void>> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(nodes.length - 1),
      PageDown: () => go(at + pageOf(list.current)),
      PageUp: () => go(at - pageOf(list.current)),
      ArrowRight: () => (node.open === false ? onToggle(node, true) : node.open && go(at + 1)),
      ArrowLeft: () => (node.open ? onToggle(node, false) : go(Math.max(0, nodes.slice(0, at).findLastIndex((n) => n.level < node.level)))),
      Enter: press,
      ' ': press,
      ...(onDelete ? { Delete: remove, Backspace: remove } : {}),
    }
    const step = steps[event.key]
    if (step) {
      event.preventDefault()
      event.stopPropagation()
      setActive(node.key)
      typed.current.text = ''
      step()
      return
    }
    if (event.key.length !== 1) return
    // A letter goes to the next that begins with it, and means nothing else while the focus is here.
    event.preventDefault()
    event.stopPropagation()
    const now = event.timeStamp
    const text = fold((now - typed.current.at < oneWord ? typed.current.text : '') + event.key)
    typed.current = { text, at: now }
    const from = text.length > 1 ? at : at + 1
    const next = [...nodes.keys()].map((i) => (i + from) % nodes.length).find((i) => fold(nodes[i]?.label ?? '').startsWith(text))
    if (next !== undefined) go(next)
  }

  const node = nodes[at]
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={label}
      aria-multiselectable={isChosen ? true : undefined}
      tabIndex={0}
      aria-activedescendant={node && `${id}-${at}`}
      onKeyDown={onKeyDown}
      className={cx('group/tree overflow-y-auto -outline-offset-2 [overflow-anchor:none] focus-visible:outline-none', className)}
    >
      <Virtualizer ref={list} scrollRef={scroller} data={nodes} keepMounted={[at]} bufferSize={200}>
        {(item, index) => (
          <div
            key={item.key}
            id={`${id}-${index}`}
            role="treeitem"
            aria-level={item.level}
            aria-posinset={item.place}
            aria-setsize={item.of}
            aria-expanded={item.open}
            aria-selected={item.key === selected}
            aria-checked={isChosen?.(item)}
            // The whole has the focus and the keys; here is what pointers do.
            tabIndex={-1}
            onMouseDown={(event) => {
              if (event.button !== 0) return
              event.preventDefault()
              scroller.current?.focus({ preventScroll: true })
            }}
            onClick={() => {
              setActive(item.key)
              if (item.open === undefined) onActivate(item)
              else onToggle(item, !item.open)
            }}
            onKeyDown={undefined}
            style={{ paddingInlineStart: `${(item.level - 1) * 0.875 + 0.375}rem` }}
            className={cx(
              'mx-1 rounded-sm pe-2 outline-none',
              item.key === selected ? 'bg-chosen' : 'hover:bg-hover',
              index === at && 'group-focus-visible/tree:outline-2 group-focus-visible/tree:-outline-offset-2 group-focus-visible/tree:outline-accent',
            )}
          >
            {children(item)}
          </div>
        )}
      </Virtualizer>
    </div>
  )
}

function pageOf(list: VirtualizerHandle | null): number {
  if (!list) return 10
  return Math.max(1, list.findItemIndex(list.scrollOffset + list.viewportSize) - list.findItemIndex(list.scrollOffset) - 1)
}
