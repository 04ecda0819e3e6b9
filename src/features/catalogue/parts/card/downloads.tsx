import { current } from '../../../../browser/session-store.ts'
import type { LinkSlot, LinkState } from '../../item/link-slots.ts'
import type { Download, ItemDetail } from '../../item/listing.ts'
import { CopyLink } from './copy-link.tsx'
import { DownloadButton } from './download-button.tsx'
import { DownloadHealth } from './download-health.tsx'
import { type OwnLinks, useDirectLinks } from './use-direct-links.ts'

/**
 * The downloads of a free item: one button a file host, with what a click does. The page comes with the gateway's addresses
 * for everybody; the browser of a VIP exchanges them (docs/spec/catalogue.md#gateway).
 */
export function Downloads({ item }: { item: ItemDetail }) {
  return <DownloadList item={item} own={useDirectLinks(item)} />
}

/** The same with the direct links that are known; without them everybody's. */
export function DownloadList({ item, own }: { item: ItemDetail; own: OwnLinks | undefined }) {
  const first = firstToTry(item.downloads)
  return (
    <ul className="downloads">
      {item.downloads.map((download) => {
        const direct = own?.links[download.slot] ?? undefined
        const isDirect = direct !== undefined
        const href = direct ?? download.url
        return (
          <li key={download.host} className="download">
            <DownloadButton
              href={href}
              label={download.label}
              file={download}
              isFirst={download === first}
              onOpen={() => (own === undefined ? remember(item.slug, download.slot) : own.recordOpened(download.slot))}
            >
              {isDirect && download.isGated ? 'Direct link for VIPs' : wayOf(download, item.gateway)}
              {/* The way of a plain link says it aloud. */}
              {download.isGated ? <span className="sr-only"> (opens in a new tab)</span> : null}
            </DownloadButton>
            <div className="download-tools">
              <DownloadHealth itemSlug={item.slug} {...download} />
              <CopyLink href={href} label={download.label} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** The history of a member who is no VIP; a VIP's browser reports what it opens. */
function remember(slug: string, slot: LinkSlot): void {
  const { session } = current()
  if (session === undefined) return
  void import('./count-download.ts').then(
    ({ rememberDownload }) => rememberDownload(session.token, { slug, slot }),
    // The download does not wait for it.
    () => undefined,
  )
}

export function firstToTry<Offered extends { state?: LinkState | undefined }>(
  offered: readonly Offered[],
): Offered | undefined {
  return offered.find(({ state }) => state !== 'dead') ?? offered[0]
}

function wayOf({ isGated, site }: Download, { provider, waitSeconds }: ItemDetail['gateway']): string {
  if (!isGated || provider === 'off') return `Opens ${site} in a new tab`
  if (provider === 'linkvertise') return `Opens ${site} by way of advertisements`
  return waitSeconds === 0 ? `Opens ${site} after one more click` : `Opens after a ${waitSeconds}-second wait`
}
