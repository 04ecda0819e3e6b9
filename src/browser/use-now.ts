import { useEffect, useState } from 'react'

const minuteMs = 60_000

/**
 * This moment, in milliseconds since 1970, anew every minute and whenever the tab is looked at again: times left go on while
 * nobody does anything.
 */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const tick = (): void => setNow(Date.now())
    const look = (): void => {
      if (document.visibilityState === 'visible') tick()
    }
    const timer = setInterval(tick, minuteMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return now
}
