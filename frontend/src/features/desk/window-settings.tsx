import { useQuery, useQueryClient } from '@tanstack/react-query'
import { hearthWindow, onMac, problemOf, texts } from '@/core'
import { Choice, useToast } from '@/ui'

const key = ['goes-on']

/** WindowSettings is what closing the window means, where there is one. The window keeps it. */
export function WindowSettings() {
  const desktop = hearthWindow()
  const queries = useQueryClient()
  const toast = useToast()
  const goesOn = useQuery({ queryKey: key, queryFn: () => desktop?.goesOn() ?? false, enabled: desktop !== undefined })
  if (!desktop || goesOn.data === undefined) return null
  const choose = async (on: boolean) => {
    queries.setQueryData(key, on)
    try {
      await desktop.setGoesOn(on)
    } catch (error) {
      queries.setQueryData(key, !on)
      toast({ message: problemOf(error).message, tone: 'error' })
    }
  }
  const { desk } = texts
  return (
    <Choice
      label={desk.title}
      value={goesOn.data ? 'on' : 'quit'}
      options={[
        { value: 'quit', text: desk.quit, hint: desk.quitHint },
        { value: 'on', text: desk.goOn, hint: onMac ? desk.goOnHintMac : desk.goOnHint },
      ]}
      onChange={(value) => void choose(value === 'on')}
    />
  )
}
