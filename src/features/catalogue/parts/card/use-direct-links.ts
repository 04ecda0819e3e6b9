import { useCallback, useEffect, useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import { callApi, NetworkError } from '../../../../browser/api-client.ts'
import { useSession } from '../../../../browser/session-store.ts'
import type { LinksBySlot } from '../../item/direct-links.server.ts'
import type { ItemDetail } from '../../item/listing.ts'
import type { LinkSlot } from '../../item/link-slots.ts'

/**
 * The direct links of an item, for the browser of a VIP or an administrator: asked for once it is known who is here, and
 * dropped with the session. Until then, and where they do not come, the page's own links stand.
 */
export function useDirectLinks({ slug, region }: Pick<ItemDetail, 'slug' | 'region'>): {
  links: LinksBySlot | undefined
  /** Counts a direct link that is being opened. */
  noteOpened: (slot: LinkSlot) => void
} {
  const { session, access } = useSession()
  const site = useRouteLoaderData<{ clientApiKey: string }>('root')
  const clientKey = site?.clientApiKey
  const token = access.isVip || access.isAdmin ? session?.token : undefined
  const name = `${token} ${region} ${slug}`
  const [known, setKnown] = useState<{ name: string; links: LinksBySlot }>()

  useEffect(() => {
    if (token === undefined || clientKey === undefined) return
    const leaving = new AbortController()
    const fetchLinks = async (): Promise<void> => {
      try {
        const path = `/${region}content/${slug}`
        const reply = await callApi(path, { clientKey, token, signal: leaving.signal })
        const { linksIn } = await import('./links-in-answer.ts')
        const links = reply.ok ? linksIn(reply.data) : undefined
        if (links !== undefined && !leaving.signal.aborted) setKnown({ name: `${token} ${region} ${slug}`, links })
      } catch (error) {
        // Without an answer, or without the script that reads it, the page's own links stand.
        if (!(error instanceof NetworkError || error instanceof TypeError)) throw error
      }
    }
    void fetchLinks()
    return () => leaving.abort()
  }, [token, clientKey, region, slug])

  const noteOpened = useCallback(
    (slot: LinkSlot): void => {
      if (token === undefined) return
      const call = { method: 'POST', token, body: { slug, slot }, outlivesPage: true } as const
      callApi('/downloads', call).catch((error: unknown) => {
        // It is only counted: whoever downloads is not held up by it.
        if (!(error instanceof NetworkError)) throw error
      })
    },
    [token, slug],
  )

  return {
    links: known !== undefined && token !== undefined && known.name === name ? known.links : undefined,
    noteOpened,
  }
}
