import { useSyncExternalStore } from 'react'

const never = (): (() => void) => () => undefined

/**
 * Whether the page is hydrated: false on the server and while the browser takes over its markup. Content of the browser
 * alone, such as the query of a page that is cached for everybody, is shown from then on.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
