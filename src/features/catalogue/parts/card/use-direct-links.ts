import { useEffect, useState } from 'react'
import { useSession } from '../../../../browser/session-store.ts'
import type { LinksBySlot } from '../../item/direct-links.server.ts'
import type { ItemDetail } from '../../item/listing.ts'
import type { LinkSlot } from '../../item/link-slots.ts'

export interface OwnLinks {
  links: LinksBySlot
  /** To be called when one of them is opened. */
  recordOpened: (slot: LinkSlot) => void
}

/**
 * The direct links of an item, for the browser of a VIP or an administrator: requested once the roles are known, and
 * dropped with the session. Until then, and when the request fails, the page's own links stay.
 */
export function useDirectLinks({ slug, region }: Pick<ItemDetail, 'slug' | 'region'>): OwnLinks | undefined {
  const { session, access } = useSession()
  const token = access.isVip || access.isAdmin ? session?.token : undefined
  const path = `/${region}content/${slug}`
  const [known, setKnown] = useState<OwnLinks & { path: string; token: string }>()

  useEffect(() => {
    if (token === undefined) return
    const leaving = new AbortController()
    const fetchLinks = async (): Promise<void> => {
      try {
        const [{ fetchDirectLinks }, { countDownload }] = await Promise.all([
          import('./direct-links.ts'),
          import('./count-download.ts'),
        ])
        const links = await fetchDirectLinks({ path, token, signal: leaving.signal })
        if (links === undefined || leaving.signal.aborted) return
        setKnown({ path, token, links, recordOpened: (slot) => void countDownload(token, { slug, slot }) })
      } catch (error) {
        // The page works without them, also where the script could not be loaded.
        if (!(error instanceof TypeError)) throw error
      }
    }
    void fetchLinks()
    return () => leaving.abort()
  }, [token, path, slug])

  return known?.path === path && known.token === token ? known : undefined
}
