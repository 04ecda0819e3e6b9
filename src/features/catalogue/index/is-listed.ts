import { canAccess } from '../../accounts/user/can-access.ts'
import { hasRole, type Viewer } from '../../accounts/user/viewer.ts'

/** Whatever decides whether an item is listed. Instants are milliseconds since 1970. */
export interface Listable {
  isPublished: boolean
  isVip: boolean
  /** An item is listed from its post date on; before that, for administrators alone. */
  postedAt: number
  /** The end of its rights, at which it leaves without any write; null for none. */
  lapsesAt: number | null
}

/**
 * Whether a viewer may find an item at an instant. The only statement of this rule in TypeScript; `visibleItems` states
 * it for the database, and a property test holds the two together.
 */
export function isListed(item: Listable, viewer: Viewer, now: number): boolean {
  const hasLapsed = item.lapsesAt !== null && item.lapsesAt <= now
  return (
    item.isPublished && item.postedAt <= listedUntil(viewer, now) && !hasLapsed && (!item.isVip || maySeeVip(viewer))
  )
}

/** The last post date of what a viewer may find: administrators see scheduled items, everybody else what was posted by now. */
export function listedUntil(viewer: Viewer, now: number): number {
  return hasRole(viewer, 'admin') ? Infinity : now
}

/** Whether VIP items exist for a viewer at all. */
export function maySeeVip(viewer: Viewer): boolean {
  return canAccess('vip', viewer)
}
