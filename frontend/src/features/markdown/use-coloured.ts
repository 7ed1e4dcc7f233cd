import { useEffect, useState } from 'react'
import type { Token } from './highlight'

/** useColoured is code as lines of coloured words, once they are ready; undefined until then, and where there is nothing to colour. */
export function useColoured(code: string, language: string, settled = true): readonly Token[][] | undefined {
  const [lines, setLines] = useState<{ code: string; language: string; tokens: readonly Token[][] }>()
  useEffect(() => {
    if (!settled || !language || code === '') return
    let gone = false
    void import('./highlight')
      .then(({ highlight }) => highlight(code, language))
      .then((tokens) => {
        if (tokens && !gone) setLines({ code, language, tokens })
      })
      .catch(() => undefined) // it stays plain
    return () => {
      gone = true
    }
  }, [code, language, settled])
  return lines?.code === code && lines.language === language ? lines.tokens : undefined
}
