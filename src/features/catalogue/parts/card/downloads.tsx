import type { ReactNode } from 'react'
import { current } from '../../../../browser/session-store.ts'
import type { LinkSlot, LinkState } from '../../item/link-slots.ts'
import type { Download, ItemDetail } from '../../item/listing.ts'
import { CopyLink } from './copy-link.tsx'
import { DownloadHealth } from './download-health.tsx'
import { type OwnLinks, useDirectLinks } from './use-direct-links.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { sizeInWords } from '../../../../ui/size-in-words.ts'
import './downloads.css'

/**
 * The downloads of a free item: one button a file host, with what a click does. The page comes with the gateway's addresses
 * for everybody; the browser of a VIP exchanges them (docs/spec/catalogue.md#gateway).
 */
export function Downloads({ item }: { item: ItemDetail }) {
  return <DownloadList item={item} own={useDirectLinks(item)} />
}

/** The same with the direct links that are known; without them everybody's. */
export function DownloadList({ item, own }: { item: ItemDetail; own: OwnLinks | undefined }) {
  const offers = item.downloads.map((download): Offer => {
    const direct = own?.links[download.slot] ?? undefined
    return {
      ...download,
      url: direct ?? download.url,
      way: (
        <>
          {direct !== undefined && download.isGated ? 'Direct link for VIPs' : wayOf(download, item.gateway)}
          {/* The way of a plain link says it aloud. */}
          {download.isGated ? <span className="sr-only"> (opens in a new tab)</span> : null}
        </>
      ),
      onOpen: () => (own === undefined ? remember(item.slug, download.slot) : own.recordOpened(download.slot)),
    }
  })
  return <Offers slug={item.slug} offers={offers} />
}

export interface Offer {
  slot: LinkSlot
  url: string
  label: string
  format?: string | undefined
  size?: number | undefined
  state: LinkState
  /** In words: where a click leads, and by which way. */
  way: ReactNode
  onOpen: () => void
}

/** @param token of a VIP, whose item is hidden without it */
export function Offers({
  slug,
  offers,
  token,
}: {
  slug: string
  offers: readonly Offer[]
  token?: string | undefined
}) {
  if (offers.length === 0) return <p className="no-download">No download is offered for this entry at the moment.</p>
  // The one to try first.
  const first = offers.find(({ state }) => state !== 'dead') ?? offers[0]
  return (
    <ul className="downloads">
      {offers.map((offer) => (
        <li key={offer.slot} className="download">
          <DownloadButton {...offer} isFirst={offer === first} />
          <div className="download-tools">
            <DownloadHealth itemSlug={slug} slot={offer.slot} state={offer.state} label={offer.label} token={token} />
            <CopyLink href={offer.url} label={offer.label} />
          </div>
        </li>
      ))}
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

function wayOf({ isGated, site }: Download, { provider, waitSeconds }: ItemDetail['gateway']): string {
  if (!isGated || provider === 'off') return `Opens ${site} in a new tab`
  if (provider === 'linkvertise') return `Opens ${site} by way of advertisements`
  return waitSeconds === 0 ? `Opens ${site} after one more click` : `Opens after a ${waitSeconds}-second wait`
}

/**
 * @param onOpen is called when it is opened, in this tab or another
 * @param isFirst whether it is the one to try first: a view has one filled button
 */
function DownloadButton({ url, label, format, size, way, isFirst, onOpen }: Offer & { isFirst: boolean }) {
  return (
    <a
      className={isFirst ? 'download-go download-first' : 'download-go'}
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      onClick={onOpen}
      onAuxClick={({ button }) => {
        // The middle one opens a tab, the right one a menu.
        if (button === 1) onOpen()
      }}
    >
      <Icon name="download" size={24} />
      <span className="download-label">
        <span className="sr-only">Download from </span>
        {label}
      </span>
      <span className="download-way">
        {[format, size === undefined ? undefined : sizeInWords(size)]
          .filter((said) => said !== undefined)
          .map((said) => (
            <span key={said} className="download-file">{`${said} · `}</span>
          ))}
        {way}
      </span>
    </a>
  )
}
