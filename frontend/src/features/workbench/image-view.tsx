import { useState } from 'react'
import { formatCount, texts } from '@/core'
import { Button, cx, EmptyState } from '@/ui'

/** ImageView is a picture, fitted into its place or as large as it is. */
export function ImageView({ address, name }: { address: string; name: string }) {
  const [actual, setActual] = useState(false)
  const [size, setSize] = useState<{ width: number; height: number }>()
  const [broken, setBroken] = useState(false)
  if (broken) return <EmptyState title={name} hint={texts.workbench.imageBroken} />
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div tabIndex={0} role="region" aria-label={texts.workbench.image(name)} className={cx('min-h-0 flex-1 bg-side p-3 -outline-offset-2', actual ? 'overflow-auto' : 'grid place-items-center overflow-hidden')}>
        <img
          src={address}
          alt={name}
          decoding="async"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => naturalWidth > 0 && setSize({ width: naturalWidth, height: naturalHeight })}
          onError={() => setBroken(true)}
          className={actual ? 'max-w-none' : 'max-h-full min-h-0 max-w-full object-contain'}
        />
      </div>
      <div className="flex min-h-8 items-center gap-3 border-t border-line px-3 text-small text-soft">
        <span className="flex-1">{size && texts.workbench.imageSize(formatCount(size.width), formatCount(size.height))}</span>
        <Button size="sm" tone="quiet" aria-pressed={actual} onClick={() => setActual(!actual)}>
          {actual ? texts.workbench.fit : texts.workbench.actual}
        </Button>
      </div>
    </div>
  )
}
