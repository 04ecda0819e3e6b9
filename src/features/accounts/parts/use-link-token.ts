import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useIsHydrated } from '../../../ui/use-is-hydrated.ts'

/**
 * The token of the link that led here; undefined until the page has come to life, and where there is none. Once read it
 * leaves the address bar, where it could be copied or looked at, for this entry of the tab's history: there it outlasts a
 * reload, and goes with the tab.
 */
export function useLinkToken(): string | undefined {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const isHydrated = useIsHydrated()
  const inAddress = new URLSearchParams(search).get('token') ?? ''
  const inHistory = (state as { linkToken?: unknown } | null)?.linkToken

  useEffect(() => {
    if (inAddress === '') return
    void navigate(pathname, { replace: true, state: { linkToken: inAddress }, preventScrollReset: true })
  }, [inAddress, navigate, pathname])

  if (!isHydrated) return undefined
  if (inAddress !== '') return inAddress
  return typeof inHistory === 'string' ? inHistory : undefined
}
