import { FileText, Image, RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { texts } from '@/core'
import { cx, Spinner } from '@/ui'
import { formatSize, type Attachment, type Attachments } from './attachments'

export interface AttachmentListProps {
  place: string
  channelId: string
  list: readonly Attachment[]
  store: Attachments
  /** Takes the focus when the last one was removed by keyboard. */
  onEmpty: () => void
}

/** AttachmentList shows the files beside a message that is being written, each with what became of it and a way to take it back. */
export function AttachmentList({ place, channelId, list, store, onEmpty }: AttachmentListProps) {
  if (list.length === 0) return null
  return (
    <ul aria-label={texts.composer.attached} className="flex max-h-40 flex-wrap gap-2 overflow-y-auto px-3 pt-2.5">
      {list.map((one, i) => (
        <li key={one.id} className={cx('flex min-h-11 max-w-72 items-center gap-2 rounded-md border bg-side pr-1 pl-1.5', one.state === 'failed' ? 'border-red' : 'border-line')}>
          <Picture one={one} channelId={channelId} />
          <div className="min-w-0 flex-1 leading-4">
            <p className="truncate text-small font-medium" dir="auto" title={one.name}>{one.name}</p>
            <p className={cx('text-small', one.state === 'failed' ? 'py-0.5 break-words text-red' : 'truncate text-soft')} role={one.state === 'failed' ? 'alert' : undefined}>
              {one.problem ?? (one.state === 'sending' ? texts.composer.uploading(Math.round(one.progress * 100)) : one.state === 'waiting' ? texts.composer.waiting : formatSize(one.size))}
            </p>
            {one.state === 'sending' && (
              <span aria-hidden className="block h-0.5 overflow-hidden rounded-full bg-line">
                <span className="block h-full bg-accent transition-[width]" style={{ width: `${one.progress * 100}%` }} />
              </span>
            )}
          </div>
          {one.state === 'failed' && (
            <ChipButton label={texts.composer.again(one.name)} onPress={() => store.again(place, one.id)}>
              <RotateCw size={13} aria-hidden />
            </ChipButton>
          )}
          <ChipButton
            label={texts.composer.remove(one.name)}
            onPress={(button) => {
              // The next one's button takes the focus, so that several can be removed by keyboard.
              const next = button.closest('ul')?.children[i === list.length - 1 ? i - 1 : i + 1]
              const into = next?.querySelector<HTMLElement>('button:last-of-type')
              store.remove(place, one.id)
              if (into) into.focus()
              else onEmpty()
            }}
          >
            <X size={13} aria-hidden />
          </ChipButton>
        </li>
      ))}
    </ul>
  )
}

function ChipButton({ label, onPress, children }: { label: string; onPress: (button: HTMLElement) => void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={(event) => onPress(event.currentTarget)}
      className="grid size-6 shrink-0 place-items-center rounded-sm text-soft hover:bg-hover hover:text-text"
    >
      {children}
    </button>
  )
}

function Picture({ one, channelId }: { one: Attachment; channelId: string }) {
  const [broken, setBroken] = useState(false)
  const box = 'grid size-8 shrink-0 place-items-center overflow-hidden rounded-sm border border-line bg-ground text-soft'
  if (one.state === 'sending') return <span className={box}><Spinner className="size-3.5" /></span>
  if (one.image && one.path !== undefined && !broken) {
    return (
      <span className={box}>
        <img src={`/api/channels/${channelId}/file?path=${encodeURIComponent(one.path)}`} alt="" onError={() => setBroken(true)} className="size-full object-cover" />
      </span>
    )
  }
  return <span className={box}>{one.image ? <Image size={15} aria-hidden /> : <FileText size={15} aria-hidden />}</span>
}
