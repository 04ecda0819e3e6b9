import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * Repeats a browser's behaviour for pages that are swapped in: the focus goes to the beginning of the new page, and on
 * the way back to the followed link.
 */
export function RouteFocus() {
  const { pathname } = useLocation()
  const type = useNavigationType()
  const previous = useRef(pathname)

  useEffect(() => {
    const from = previous.current
    if (from === pathname) return
    previous.current = pathname
    const main = document.querySelector<HTMLElement>('#main')
    const link = type === 'POP' ? main?.querySelector<HTMLElement>(`a[href="${CSS.escape(from)}"]`) : undefined
    ;(link ?? main)?.focus({ preventScroll: true })
  }, [pathname, type])

  return null
}
