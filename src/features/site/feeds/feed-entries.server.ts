import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import type { Scope } from '../../../http/cache/response-cache.ts'
import { isVipType } from '../../catalogue/item/content-type.ts'
import { basisName, licenceAddress } from '../../catalogue/item/rights-line.ts'
import { vipItemPath } from '../../catalogue/item/vip-page.ts'
import { itemPath } from '../../catalogue/item/content-type.ts'
import { readSearchQuery } from '../../catalogue/search/read-search-query.ts'
import { searchItems } from '../../catalogue/search/search-items.server.ts'
import { widest } from '../../catalogue/covers/parts/cover-of.ts'
import type { FeedEntry } from './feed.ts'

/** As many entries has a feed. */
const newest = '50'

/** The parameters of a search, as an address gives them. */
export type FeedParameters = Readonly<Record<string, string>>

/**
 * The newest entries that a viewer may see now and that some parameters of the search ask for, with what they depend on.
 * @throws {AppError} `search.parameter`, 400
 */
export async function readFeedEntries(
  app: SiteApp,
  viewer: Viewer,
  parameters: FeedParameters,
): Promise<{ entries: FeedEntry[]; scope: Scope | undefined }> {
  const query = readSearchQuery(new URLSearchParams({ ...parameters, limit: newest }))
  const { itemNumbers, scope } = searchItems(app, viewer, query)
  const found = await app.listing.findItems(itemNumbers, viewer)
  const { publicUrl } = app.config
  const entries = found.map((single): FeedEntry => {
    const { item } = single
    const { slug, name, creators = [], description, category, tags = [], language = [], cover, rights } = item
    const isOfVips = isVipType(item.contentType) || app.listing.isVipFirst(single)
    const path = isOfVips ? vipItemPath({ ...item, vipFirst: !isVipType(item.contentType) }) : itemPath(item)
    return {
      url: publicUrl + path,
      title: name,
      creators,
      paragraphs: [...(description?.split(/\n\s*\n/) ?? []), rightsLine(rights)],
      category,
      tags,
      language: language[0],
      // A reading program brings no bearer, so it gets no picture of an entry of VIPs.
      image: isOfVips ? undefined : imageOf(publicUrl, slug, cover),
      postedAt: item.postDate,
      changedAt: item.updatedAt,
    }
  })
  return { entries, scope }
}

function imageOf(publicUrl: string, slug: string, cover: string | undefined): FeedEntry['image'] {
  return cover === undefined
    ? { url: `${publicUrl}/covers/${slug}.png`, mediaType: 'image/png' }
    : { url: publicUrl + widest(cover), mediaType: 'image/webp' }
}

/** 'Rights: Licensed, A. Holder, CC-BY-4.0 (https://…)' */
function rightsLine({
  basis,
  holder,
  licence,
}: {
  basis: string
  holder?: string | null | undefined
  licence?: string | null | undefined
}): string {
  const address = licenceAddress(licence ?? null)
  const parts = [
    basisName(basis),
    holder,
    address === licence || address === null ? licence : `${licence} (${address})`,
  ]
  return `Rights: ${parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ')}`
}
