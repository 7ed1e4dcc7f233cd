import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { use, useState } from 'react'
import { texts } from '@/core'
import { cx, IconButton } from '@/ui'
import { ChannelContext } from './context'
import { fileOf, openOutside, outside, pictureAddress } from './outside'

/** Sizes of pictures that were seen, by address, so that the list does not move when they come into view again. */
const seen = new Map<string, { width: number; height: number }>()

/** The box a picture has until its size is known, and the most it has then; in pixels. */
const box = { width: 320, height: 200 }
const most = { width: 480, height: 320 }

/**
 * Picture shows a picture from the channel's folder, small, and large when it is pressed. One from elsewhere is never fetched:
 * its address is a link.
 */
export function Picture({ src, alt }: { src: string; alt: string }) {
  const channelId = use(ChannelContext)
  const path = fileOf(src)
  if (path !== undefined && channelId !== undefined) return <FromDisk key={path} address={pictureAddress(channelId, path)} path={path} alt={alt} />
  const link = outside(src)
  if (link === '') return <span className="text-soft">{texts.messages.imageBlocked(alt)}</span>
  return (
    <a href={link} target="_blank" rel="noopener noreferrer nofollow" onClick={openOutside}>
      {texts.messages.imageBlocked(alt)}
    </a>
  )
}

function FromDisk({ address, path, alt }: { address: string; path: string; alt: string }) {
  const [size, setSize] = useState(() => seen.get(address))
  const [missing, setMissing] = useState(false)
  const [open, setOpen] = useState(false)
  if (missing) return <span className="text-soft italic" dir="auto">{texts.messages.imageMissing(path)}</span>
  const shown = size ? fit(size, most) : box
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild disabled={!size}>
        <button
          type="button"
          aria-label={texts.messages.enlarge(alt)}
          style={{ width: shown.width, aspectRatio: `${shown.width} / ${shown.height}` }}
          className={cx('my-1 block max-w-full overflow-hidden rounded-md border border-line bg-side', size && 'cursor-zoom-in')}
        >
          <img
            src={address}
            alt={alt}
            loading="lazy"
            decoding="async"
            className={cx('size-full object-contain', !size && 'opacity-0')}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              // A vector without a size of its own has none.
              const found = naturalWidth > 0 && naturalHeight > 0 ? { width: naturalWidth, height: naturalHeight } : box
              seen.set(address, found)
              setSize(found)
            }}
            onError={() => setMissing(true)}
          />
        </button>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-shade" />
        <Dialog.Content
          aria-describedby={undefined}
          // On its button the focus would open a tooltip, which Escape closes first.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          className="fixed inset-6 z-40 flex animate-appear flex-col overflow-hidden rounded-lg bg-raised shadow-float outline-none"
        >
          <header className="flex items-center gap-2 border-b border-line py-1.5 pr-2 pl-4">
            <Dialog.Title className="min-w-0 flex-1 truncate font-medium" dir="auto">
              {alt || path}
            </Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={texts.common.close}>
                <X size={16} aria-hidden />
              </IconButton>
            </Dialog.Close>
          </header>
          <div className="grid min-h-0 flex-1 place-items-center bg-side p-4">
            <img src={address} alt={alt} className="max-h-full min-h-0 max-w-full object-contain" />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** fit makes a size small enough and keeps its shape; a very flat one stays high enough to be pressed. */
export function fit(size: { width: number; height: number }, room: { width: number; height: number }): { width: number; height: number } {
  const share = Math.min(1, room.width / size.width, room.height / size.height)
  return { width: Math.max(24, Math.round(size.width * share)), height: Math.max(24, Math.round(size.height * share)) }
}
