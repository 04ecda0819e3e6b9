import { sizeInWords } from '../../../ui/size-in-words.ts'
import { goPath } from '../../catalogue/gateway/gateway.server.ts'
import type { SingleItem } from '../../catalogue/index/single-items.server.ts'
import { vipItemPath, pathOfAnyItem } from '../../catalogue/item/vip-page.ts'
import { basisName, licenceAddress } from '../../catalogue/item/rights-line.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import type { Download, Publication } from './feed.ts'
import { mediaTypeOf } from './media-types.ts'

/** An entry as this reader gets it: with direct links for VIPs, and for everybody else with the gateway's addresses. */
export function publicationOf(app: SiteApp, viewer: Viewer, found: SingleItem): Publication {
  const { item } = found
  const { id, slug, name, creators = [], category, tags = [], language = [], year, series, seriesNumber } = item
  const { basis, holder, licence } = item.rights
  const page = app.listing.isVipFirst(found) ? vipItemPath({ ...item, vipFirst: true }) : pathOfAnyItem(item)
  const cover = `/opds/covers/${slug}`
  const small = { href: cover, type: item.cover === undefined ? 'image/svg+xml' : 'image/webp' }
  return {
    id,
    slug,
    title: name,
    creators,
    category,
    tags,
    languages: language,
    year: year !== undefined && year !== null && year >= 1 ? year : undefined,
    series: series === undefined || series === null ? undefined : { name: series, number: seriesNumber ?? undefined },
    description: item.description ?? undefined,
    rights: [basisName(basis), holder, licence].filter((part) => part !== null).join(', '),
    licence: licenceAddress(licence),
    published: item.postDate,
    updated: item.updatedAt,
    page,
    cover: { small, photo: { href: `${cover}.jpg`, type: 'image/jpeg' } },
    downloads: downloadsOf(app, viewer, found, page),
  }
}

/** One of each file host. A catalogue has no entry without a download: the page stands for one. */
function downloadsOf({ config }: SiteApp, viewer: Viewer, found: SingleItem, page: string): Download[] {
  const { item, links, health } = found
  const direct = found.directLinks(viewer)
  const offered = links.offered(health).map(({ slot }): Download => {
    const [format, size] = [item[`${slot}Format`] ?? undefined, item[`${slot}Size`] ?? undefined]
    const host = links.placeOf(slot, config.fileHosts)?.label
    const words = [format, size === undefined ? undefined : sizeInWords(size), host]
    const title = words.filter((word) => word !== undefined).join(', ')
    const link = direct?.[slot]
    // A public document has no direct link, whether or not a gateway stands before it.
    if (link === undefined || link === null)
      return { href: goPath(item.slug, slot), type: 'text/html', title, size: undefined }
    return { href: link, type: mediaTypeOf(format), title, size }
  })
  return offered.length > 0 ? offered : [{ href: page, type: 'text/html', title: 'Page', size: undefined }]
}
