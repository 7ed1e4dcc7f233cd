import { useEffect, useRef, useState, type ComponentType } from 'react'
import { useToast } from './toast'
import { useUiWords } from './words'

/**
 * later makes a component whose code is fetched when it is first wanted. Where that fails (no connection, or another version of
 * the page is served by now), it says so and closes; the page around it stays as it is, and the next time it is tried again.
 */
export function later<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined
  return function Later(props: P) {
    const words = useUiWords()
    const toast = useToast()
    const [Component, setComponent] = useState<ComponentType<P> | undefined>(() => loaded)
    const failed = useRef<() => void>(undefined)
    useEffect(() => {
      failed.current = () => {
        toast({ message: words.notLoaded, tone: 'error' })
        if ('onClose' in props && typeof props.onClose === 'function') (props.onClose as () => void)()
      }
    })
    useEffect(() => {
      if (Component) return
      let wanted = true
      load().then(
        (module) => {
          loaded = module.default
          if (wanted) setComponent(() => module.default)
        },
        () => wanted && failed.current?.(),
      )
      return () => void (wanted = false)
    }, [Component])
    return Component ? <Component {...props} /> : null
  }
}
