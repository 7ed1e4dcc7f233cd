import { useEffect } from 'react'
import { formatCount, texts } from '@/core'
import { Button } from '@/ui'
import { ChannelContext } from './context'
import { foldAbove, folded } from './fold'
import { useKept } from './kept'
import { Markdown } from './markdown'

export interface MessageBodyProps {
  /** Names the text in the page: a row's id; of a turn, while it is written and when it is whole, the run's. */
  id: string
  text: string
  channelId: string
  handles: readonly string[]
  /** The text is still being written. */
  live?: boolean
}

/** MessageBody is the text of a message: Markdown with the pictures of its channel's folder, and folded when it is huge. */
export function MessageBody({ id, text, channelId, handles, live = false }: MessageBodyProps) {
  const [whole, setWhole] = useKept(`body:${id}`)
  // What somebody has watched grow does not fold up under their eyes.
  const watched = live && text.length > foldAbove && !whole
  useEffect(() => {
    if (watched) setWhole(true)
  }, [watched, setWhole])
  const part = live ? undefined : folded(text)
  return (
    <ChannelContext value={channelId}>
      <Markdown text={part !== undefined && !whole ? part : text} handles={handles} live={live} />
      {part !== undefined && (
        <Button size="sm" className="mt-1" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? texts.messages.showLess : texts.messages.showAll(formatCount(text.length))}
        </Button>
      )}
    </ChannelContext>
  )
}
