import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { placeKey, problemOf, texts, useHearth, useSelect, type PlaceId } from '@/core'
import { Button, ErrorNote, Loading } from '@/ui'
import { Stretch } from './stretch'

export interface MessageListProps {
  place: PlaceId
  /** A row to show instead of the newest. */
  target?: string | undefined
}

/**
 * MessageList is a place's messages, the newest below. It opens at `target`, else at the first that is new to the person, else at
 * the end. Only what can be seen is in the page, and only some pages around it in memory.
 */
export function MessageList({ place, target }: MessageListProps) {
  const hearth = useHearth()
  const key = placeKey(place)
  const loaded = useSelect((s) => s.places[key]?.loaded ?? false)
  const window = useSelect((s) => s.places[key]?.window ?? 0)
  // What lasts while the place is open, when the stretch that is held begins anew somewhere else.
  const toEnd = useRef(false)
  const mark = useRef<string>(undefined)
  const loading = useQuery({
    queryKey: ['rows', key, target ?? ''],
    queryFn: ({ signal }) => {
      toEnd.current = false
      return hearth.openPlace(place, target, signal)
    },
    // What is held is let go of when nobody looks; it is fetched anew then.
    gcTime: 0,
  })
  if (loading.isError && !loaded) {
    return (
      <ErrorNote className="m-5" action={<Button size="sm" onClick={() => void loading.refetch()}>{texts.common.tryAgain}</Button>}>
        {problemOf(loading.error).message}
      </ErrorNote>
    )
  }
  if (!loaded) return <Loading />
  const problem = loading.isError ? problemOf(loading.error).message : target !== undefined && loading.data === false ? texts.messages.gone : undefined
  return (
    <div className="flex h-full min-h-0 flex-col">
      {problem !== undefined && <ErrorNote tone="amber" className="mx-5 my-2">{problem}</ErrorNote>}
      <div className="min-h-0 flex-1">
        <Stretch key={`${key} ${window}`} place={place} target={target} toEnd={toEnd} mark={mark} />
      </div>
    </div>
  )
}
