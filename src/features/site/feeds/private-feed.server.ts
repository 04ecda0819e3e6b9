import { findFeedOwner } from '../../accounts/feed-tokens/feed-tokens.server.ts'
import { looksLikeToken } from '../../accounts/sessions/tokens.server.ts'
import { viewMember } from '../../accounts/sessions/view-member.server.ts'
import { hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { features } from '../features.server.ts'
import type { Feed } from './feed.ts'
import { type FeedParameters, readFeedEntries } from './feed-entries.server.ts'
import { valuesOf } from './public-feed.server.ts'

/** The feed that a token opens. */
interface OpenedFeed {
  memberId: string
  /** Parameters of the search that belong to the token. An address narrows further, and replaces none of them. */
  filters?: FeedParameters
}

/** Finds the feed of a token of one kind; undefined for one that was never made or has ended. */
type FeedLookup = (app: SiteApp, token: string) => Promise<OpenedFeed | undefined>

const lookups: readonly FeedLookup[] = [findFeedOwner]

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
  for (const lookup of lookups) {
    const opened = await lookup(app, token)
    if (opened !== undefined) return feedOf(app, opened, parameters)
  }
  return undefined
}

async function feedOf(app: SiteApp, { memberId, filters }: OpenedFeed, parameters: FeedParameters): Promise<Feed> {
  const asked = { ...parameters, ...filters }
  const { entries } = await readFeedEntries(app, await readerOf(app, memberId), asked)
  const { publicUrl } = app.config
  const { brandName } = app.texts.inForce
  return {
    title: [brandName, 'Your feed', ...valuesOf(asked)].join(' · '),
    description: `The newest entries of ${brandName} that you may see.`,
    home: `${publicUrl}/`,
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
