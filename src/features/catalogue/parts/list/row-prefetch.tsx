import { type RefObject, useEffect, useState } from 'react'
import { PrefetchPageLinks } from 'react-router'
import { useIsOnline } from '../../../../ui/use-is-online.ts'

/** How long a pointer rests on a row before its page is fetched ahead. */
const restMs = 80

/** Fetches the page of the row that is pointed at or focused, so that it is there when it is opened. */
export function RowPrefetch({ list }: { list: RefObject<HTMLElement | null> }) {
  const [page, setPage] = useState<string>()
  const isOnline = useIsOnline()

  useEffect(() => {
    const root = list.current
    if (root === null) return undefined
    let timer: number | undefined
    const onTurn = (event: Event): void => {
      window.clearTimeout(timer)
      const link = (event.target as Element).closest('a')
      if (link !== null) timer = window.setTimeout(() => setPage(link.pathname), restMs)
    }
    const onLeave = (): void => window.clearTimeout(timer)
    root.addEventListener('pointerover', onTurn)
    root.addEventListener('focusin', onTurn)
    root.addEventListener('pointerleave', onLeave)
    return () => {
      window.clearTimeout(timer)
      root.removeEventListener('pointerover', onTurn)
      root.removeEventListener('focusin', onTurn)
      root.removeEventListener('pointerleave', onLeave)
    }
  }, [list])

  return page === undefined || !isOnline ? null : <PrefetchPageLinks page={page} />
}
