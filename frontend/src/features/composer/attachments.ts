import { useSyncExternalStore } from 'react'
import type { StoredFile } from '@/api'
import { formatCount, formatTenths, problemOf, texts, useHearth, type Hearth } from '@/core'

/** A file beside a message that is being written. */
export interface Attachment {
  readonly id: string
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly image: boolean
  readonly state: 'waiting' | 'sending' | 'done' | 'failed'
  /** The share that has gone out, 0 to 1. */
  readonly progress: number
  /** Why it failed, in a sentence. */
  readonly problem?: string | undefined
  /** Where the server keeps it, once it is there: absolute. */
  readonly path?: string | undefined
}

/** The largest file the server takes, in bytes. */
export const largestFile = 25 * 1024 * 1024

/** How many are sent at once. */
const atOnce = 2

const storageKey = 'hearth.attachments'

const none: readonly Attachment[] = []

/**
 * Attachments are the files of every message that is being written, by place. What the server has stays over a reload, like the
 * text beside it; what was still on its way then is gone.
 */
export class Attachments {
  private lists: Readonly<Record<string, readonly Attachment[]>>
  private readonly files = new Map<string, { file: File; channelId: string }>()
  private readonly sending = new Map<string, AbortController>()
  private readonly listeners = new Set<() => void>()

  constructor(
    private readonly hearth: Hearth,
    private readonly storage: Pick<Storage, 'getItem' | 'setItem'> = localStorage,
  ) {
    this.lists = this.load()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  of(place: string): readonly Attachment[] {
    return this.lists[place] ?? none
  }

  add(place: string, channelId: string, files: readonly File[]): void {
    const fresh = files.map((file): Attachment => {
      const id = crypto.randomUUID()
      this.files.set(id, { file, channelId })
      const problem = file.size > largestFile ? texts.composer.tooLarge(formatSize(largestFile)) : file.size === 0 ? texts.composer.empty : undefined
      return { id, name: file.name, size: file.size, image: file.type.startsWith('image/'), state: problem ? 'failed' : 'waiting', progress: 0, problem }
    })
    this.set(place, [...this.of(place), ...fresh])
    this.next()
  }

  remove(place: string, id: string): void {
    this.sending.get(id)?.abort()
    this.files.delete(id)
    this.set(place, this.of(place).filter((a) => a.id !== id))
  }

  /** again tries one that failed. */
  again(place: string, id: string): void {
    this.change(place, id, { state: 'waiting', progress: 0, problem: undefined })
    this.next()
  }

  clear(place: string): void {
    for (const { id } of this.of(place)) this.remove(place, id)
  }

  /** restore puts back what was cleared, for a message that could not be sent after all. */
  restore(place: string, attachments: readonly Attachment[]): void {
    this.set(place, [...attachments, ...this.of(place)])
  }

  private next(): void {
    for (const [place, list] of Object.entries(this.lists)) {
      for (const { id, state } of list) {
        if (this.sending.size >= atOnce) return
        if (state === 'waiting') void this.send(place, id)
      }
    }
  }

  private async send(place: string, id: string): Promise<void> {
    const held = this.files.get(id)
    if (!held) return
    const abort = new AbortController()
    this.sending.set(id, abort)
    this.change(place, id, { state: 'sending' })
    try {
      const stored = await this.upload(held, (progress) => this.change(place, id, { progress }), abort.signal)
      this.change(place, id, { state: 'done', progress: 1, path: stored.path, name: stored.name, size: stored.size, image: stored.media_type.startsWith('image/') })
      this.files.delete(id)
    } catch (error) {
      this.change(place, id, { state: 'failed', problem: error instanceof Unreadable ? texts.composer.unreadable : problemOf(error).message })
    } finally {
      this.sending.delete(id)
      this.next()
    }
  }

  private async upload({ file, channelId }: { file: File; channelId: string }, onProgress: (share: number) => void, signal: AbortSignal): Promise<StoredFile> {
    const bytes = await file.arrayBuffer().catch(() => {
      throw new Unreadable()
    })
    return this.hearth.api.uploadFile(channelId, file.name, bytes, { onProgress, signal })
  }

  private change(place: string, id: string, change: Partial<Attachment>): void {
    const list = this.of(place)
    if (list.some((a) => a.id === id)) this.set(place, list.map((a) => (a.id === id ? { ...a, ...change } : a)))
  }

  private set(place: string, list: readonly Attachment[]): void {
    const { [place]: _, ...others } = this.lists
    this.lists = list.length > 0 ? { ...others, [place]: list } : others
    const there = Object.entries(this.lists).map(([key, all]) => [key, all.filter((a) => a.state === 'done')])
    try {
      this.storage.setItem(storageKey, JSON.stringify(Object.fromEntries(there.filter(([, all]) => all && all.length > 0))))
    } catch {
      // Full, or not allowed here: they last as long as the page then.
    }
    for (const listener of this.listeners) listener()
  }

  private load(): Record<string, readonly Attachment[]> {
    try {
      const saved = JSON.parse(this.storage.getItem(storageKey) ?? '{}') as Record<string, Attachment[]>
      return Object.fromEntries(Object.entries(saved).filter(([, all]) => all.every((a) => typeof a.path === 'string' && typeof a.name === 'string')))
    } catch {
      return {}
    }
  }
}

class Unreadable extends Error {}

const stores = new WeakMap<Hearth, Attachments>()

/** useAttachments gives the files of the message that is being written at a place. */
export function useAttachments(place: string): { list: readonly Attachment[]; store: Attachments } {
  const hearth = useHearth()
  let store = stores.get(hearth)
  if (!store) stores.set(hearth, (store = new Attachments(hearth)))
  const at = store
  return { store, list: useSyncExternalStore(store.subscribe, () => at.of(place)) }
}

/** formatSize is a number of bytes in short: 940 B, 12 kB, 3.4 MB. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return texts.composer.size(`${bytes}`, 'B')
  if (bytes < 999_500) return texts.composer.size(formatCount(bytes / 1000), 'kB')
  return texts.composer.size(formatTenths(bytes / 1_000_000), 'MB')
}

/** withAttachments is a message's text with its files named in it: pictures as pictures, the rest as links. */
export function withAttachments(text: string, attachments: readonly Attachment[]): string {
  const lines = attachments.flatMap(({ name, path, image }) => (path === undefined ? [] : [`${image ? '!' : ''}[${escapeName(name)}](${destination(path)})`]))
  return [text.trim(), lines.join('\n')].filter(Boolean).join('\n\n')
}

const escapeName = (name: string) => name.replace(/[\\[\]`*_<>!]/g, '\\$&')

/** A path as the destination of a link: in angle brackets where it would not be one without. */
const destination = (path: string) => (/[\s()<>\\]/.test(path) ? `<${path.replace(/[<>\\]/g, '\\$&')}>` : path)
