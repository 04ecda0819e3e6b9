import { findFeedOwner } from '../../accounts/feed-tokens/feed-tokens.server.ts'
import { looksLikeToken } from '../../accounts/sessions/tokens.server.ts'
import { viewMember } from '../../accounts/sessions/view-member.server.ts'
import { hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { features } from '../features.server.ts'
import type { Feed } from './feed.ts'
import { isVipType } from '../../catalogue/item/content-type.ts'
import { findSearch } from '../../catalogue/saved-searches/saved-searches.server.ts'
import { type FeedParameters, readFeedEntries } from './feed-entries.server.ts'
import { valuesOf } from './public-feed.server.ts'

const roleSources = features.flatMap(({ roles = [] }) => roles)

/**
 * The feed behind a token (docs/spec/found-from-outside.md#private-feeds): what its owner may see now, as a member or as a VIP.
 * @returns undefined for a token that opens none
 */
export async function privateFeed(
  app: SiteApp,
  { token, parameters }: { token: string; parameters: FeedParameters },
): Promise<Feed | undefined> {
  if (!looksLikeToken(token)) return undefined
  const opened = await findFeedOwner(app, token)
  if (opened === undefined) return undefined
  const search = opened.searchId === null ? undefined : await findSearch(app, opened.searchId)
  const viewer = await readerOf(app, opened.memberId)
  // A list of VIPs has nothing for a member who is none any more. An address narrows a search, and replaces nothing of it.
  const isClosed = search !== undefined && isVipType(search.list) && !hasRole(viewer, 'vip')
  const asked = { ...parameters, ...search?.parameters }
  const narrowing = Object.fromEntries(
    Object.entries(parameters).filter(([name]) => !(name in (search?.parameters ?? {}))),
  )
  const { entries } = isClosed ? { entries: [] } : await readFeedEntries(app, viewer, asked)
  const { publicUrl } = app.config
  const { brandName } = app.texts.inForce
  return {
    title: [brandName, search?.name ?? 'Your feed', ...valuesOf(narrowing)].join(' · '),
    description: `The newest entries of ${brandName} that you may see.`,
    home: publicUrl + (search?.path ?? '/'),
    self: undefined,
    icon: `${publicUrl}/icons/512.png`,
    entries,
  }
}

/** A member as their feed sees them: an administrator's draft of tomorrow stands in no feed. */
async function readerOf(app: SiteApp, memberId: string): Promise<Viewer> {
  const member = await viewMember(app, { id: memberId }, roleSources)
  return { ...member, roles: new Set(hasRole(member, 'vip') ? ['vip'] : []) }
}
