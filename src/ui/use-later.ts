import { useCallback, useEffect, useRef } from 'react'

/** Does something after a while, unless the page has been left by then, also if it was left before this was asked. */
export function useLater(): (ms: number, work: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      clearTimeout(timer.current)
    }
  }, [])
  return useCallback((ms, work) => {
    clearTimeout(timer.current)
    if (isHere.current) timer.current = setTimeout(work, ms)
  }, [])
}
