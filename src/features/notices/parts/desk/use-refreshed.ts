import { useEffect, useState } from 'react'

/** Fetches a list again with every minute, while the tab is visible. */
export function useRefreshed(now: number, isOn: boolean, refetch: () => void): void {
  const [refetchedAt, setRefetchedAt] = useState(now)
  useEffect(() => {
    if (refetchedAt === now) return
    setRefetchedAt(now)
    if (isOn && document.visibilityState === 'visible') refetch()
  }, [refetchedAt, now, isOn, refetch])
}
