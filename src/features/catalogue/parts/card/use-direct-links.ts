import { useEffect, useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import { useSession } from '../../../../browser/session-store.ts'
import type { LinksBySlot } from '../../item/direct-links.server.ts'
import type { ItemDetail } from '../../item/listing.ts'
import type { LinkSlot } from '../../item/link-slots.ts'

/** What a VIP has in place of the gateway. */
export interface OwnLinks {
  links: LinksBySlot
  /** To be called when one of them is opened. */
  noteOpened: (slot: LinkSlot) => void
}

/**
 * The direct links of an item, for the browser of a VIP or an administrator: asked for once it is known who is here, and
 * dropped with the session. Until then, and where they do not come, the page's own links stand.
 */
export function useDirectLinks({ slug, region }: Pick<ItemDetail, 'slug' | 'region'>): OwnLinks | undefined {
  const { session, access } = useSession()
  const site = useRouteLoaderData<{ clientApiKey: string }>('root')
  const clientKey = site?.clientApiKey
  const token = access.isVip || access.isAdmin ? session?.token : undefined
  const path = `/${region}content/${slug}`
  const [known, setKnown] = useState<OwnLinks & { path: string; token: string }>()

  useEffect(() => {
    if (token === undefined || clientKey === undefined) return
    const leaving = new AbortController()
    const fetchLinks = async (): Promise<void> => {
      try {
        const [{ fetchDirectLinks }, { tellOpened }] = await Promise.all([
          import('./direct-links.ts'),
          import('./tell-opened.ts'),
        ])
        const links = await fetchDirectLinks({ path, clientKey, token, signal: leaving.signal })
        if (links === undefined || leaving.signal.aborted) return
        setKnown({ path, token, links, noteOpened: (slot) => void tellOpened(token, { slug, slot }) })
      } catch (error) {
        // The page stands without them, also without the script that asks.
        if (!(error instanceof TypeError)) throw error
      }
    }
    void fetchLinks()
    return () => leaving.abort()
  }, [token, clientKey, path, slug])

  return known?.path === path && known.token === token ? known : undefined
}
