import { useSyncExternalStore } from 'react'

const never = (): (() => void) => () => undefined

/**
 * Whether the page has come to life: false on the server and while the browser takes over what the server has written.
 * What depends on the browser alone, such as the query of a page that is kept for everybody, is shown from then on.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
