import { canAccess } from '../../office/viewer/can-access.ts'
import { hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'

/** The facts that decide whether an item is listed. Instants are milliseconds since 1970. */
export interface Listable {
  isPublished: boolean
  isVip: boolean
  /** An item is listed from its post date on; before that, for administrators, and a free one for VIPs while early access lasts. */
  postedAt: number
  /** The end of its rights, at which it leaves without any write; null for none. */
  lapsesAt: number | null
}

/** When it is asked. */
export interface ListingTime {
  /** Milliseconds since 1970. */
  now: number
  /** So long before its post date VIPs find a free item; milliseconds. */
  earlyAccessMs: number
}

const dayMs = 86_400_000

export function listingTime({ clock, config }: Pick<CatalogueApp, 'clock' | 'config'>): ListingTime {
  return { now: clock.now(), earlyAccessMs: config.earlyAccessDays * dayMs }
}

/**
 * Whether a viewer may find an item at an instant. The only statement of this rule in TypeScript; `visibleItems` states
 * it for the database, and a property test holds the two together.
 */
export function isListed(item: Listable, viewer: Viewer, time: ListingTime): boolean {
  const hasLapsed = item.lapsesAt !== null && item.lapsesAt <= time.now
  return (
    item.isPublished &&
    item.postedAt <= listedUntil(item, viewer, time) &&
    !hasLapsed &&
    (!item.isVip || maySeeVip(viewer))
  )
}

/**
 * The last post date of what a viewer may find: administrators see scheduled items, VIPs free ones of early access,
 * everybody else what was posted by now.
 */
export function listedUntil({ isVip }: Pick<Listable, 'isVip'>, viewer: Viewer, time: ListingTime): number {
  if (hasRole(viewer, 'admin')) return Infinity
  return !isVip && maySeeVip(viewer) ? time.now + time.earlyAccessMs : time.now
}

/**
 * Whether a free item belongs to VIPs for now (docs/spec/catalogue.md#early-access): until its post date it is read in the
 * VIP area alone.
 */
export function isVipFirst(
  { isVip, postedAt }: Pick<Listable, 'isVip' | 'postedAt'>,
  { now, earlyAccessMs }: ListingTime,
): boolean {
  return !isVip && postedAt > now && postedAt <= now + earlyAccessMs
}

/** Whether VIP items exist for a viewer at all. */
export function maySeeVip(viewer: Viewer): boolean {
  return canAccess('vip', viewer)
}
