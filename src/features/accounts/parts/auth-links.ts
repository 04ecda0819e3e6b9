import { useLocation } from 'react-router'
import { useIsHydrated } from '../../../ui/use-is-hydrated.ts'
import { safeNextPath } from '../browser/next-path.ts'

/** The page after signing in. The server renders this page for everybody: until it is hydrated, the home page. */
export function useNextPath(): string {
  const { search } = useLocation()
  const isHydrated = useIsHydrated()
  return isHydrated ? safeNextPath(new URLSearchParams(search).get('next'), window.location.origin) : '/'
}

/** The address of another page on the way in, which then leads to the same place. */
export function wayTo(page: '/login' | '/register' | '/forgot-password', next: string): string {
  return next === '/' ? page : `${page}?next=${encodeURIComponent(next)}`
}

/** The email address that was typed on the page before this one. */
export function useCarriedEmail(): string {
  const { state } = useLocation()
  const isHydrated = useIsHydrated()
  const email = (state as { email?: unknown } | null)?.email
  return isHydrated && typeof email === 'string' ? email : ''
}
