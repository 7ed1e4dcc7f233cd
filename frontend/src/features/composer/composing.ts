import { useRef, type KeyboardEvent } from 'react'

/**
 * useComposing says whether a key belongs to an input method that is putting characters together: then it must never send.
 * Browsers say so in isComposing. WebKit fires compositionend before the keydown of the very key that ended it, and says 229 there;
 * where it does not even say that, the key comes in the same task as the end.
 */
export function useComposing() {
  const justEnded = useRef(false)
  return {
    onCompositionEnd: () => {
      justEnded.current = true
      setTimeout(() => (justEnded.current = false))
    },
    isComposing: (event: KeyboardEvent): boolean => {
      // Nothing newer than keyCode says 229.
      // eslint-disable-next-line @typescript-eslint/no-deprecated
      return event.nativeEvent.isComposing || event.keyCode === 229 || (justEnded.current && event.key === 'Enter')
    },
  }
}
