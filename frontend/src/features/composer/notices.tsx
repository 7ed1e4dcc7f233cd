import { texts } from '@/core'
import { Button } from '@/ui'

export interface NoticesProps {
  /** What could not be done, in a sentence. */
  problem: string | undefined
  tooMany: string | undefined
  /** How many characters it is too long. */
  over: number
  offline: boolean
  onAsFile: () => void
}

/** Notices says why a message can't be sent, where it is written. */
export function Notices({ problem, tooMany, over, offline, onAsFile }: NoticesProps) {
  return (
    <>
      {problem !== undefined && <p role="alert" className="px-3 py-1 text-small text-red">{problem}</p>}
      {tooMany !== undefined && <p role="alert" className="px-3 py-1 text-small text-amber">{tooMany}</p>}
      {over > 0 && (
        <div className="flex items-center gap-2 px-3 py-1 text-small text-red">
          <p role="alert" className="min-w-0 flex-1">{texts.composer.tooLong(over)}</p>
          <Button size="sm" onClick={onAsFile}>{texts.composer.asFile}</Button>
        </div>
      )}
      {offline && <p role="status" className="px-3 py-1 text-small text-amber">{texts.composer.offline}</p>}
    </>
  )
}
