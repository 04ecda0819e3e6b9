import { accountAdminLinks } from '../accounts/admin-links.ts'
import { type AdminLink, adminNavGroups } from '../office/parts/admin-link.ts'
import { catalogueAdminLinks } from '../catalogue/admin-links.ts'
import { noticesAdminLinks } from '../notices/admin-links.ts'
import { officeAdminLinks } from '../office/admin-links.ts'
import { requestsAdminLinks } from '../requests/admin-links.ts'
import { membershipAdminLinks } from '../membership/admin-links.ts'

const siteAdminLinks: readonly AdminLink[] = [
  {
    to: '/admin',
    menu: { label: 'Administration', order: 5 },
    nav: { label: 'Home', group: 'overview', order: 10 },
  },
  {
    to: '/admin/stats',
    menu: { label: 'View Stats', order: 20 },
    header: { label: 'Statistics', order: 20 },
    nav: { label: 'Statistics', group: 'overview', order: 20 },
  },
  { to: '/admin/jobs', nav: { label: 'Jobs', group: 'overview', order: 40 } },
  { to: '/admin/appearance', nav: { label: 'Appearance', group: 'site', order: 10 } },
  { to: '/admin/configuration', nav: { label: 'Settings', group: 'site', order: 30 } },
]

/** The links of all features, in the order of the row. */
const adminLinks: readonly AdminLink[] = [
  ...officeAdminLinks,
  ...accountAdminLinks,
  ...membershipAdminLinks,
  ...catalogueAdminLinks,
  ...requestsAdminLinks,
  ...noticesAdminLinks,
  ...siteAdminLinks,
]

/** The administrators' links of the header or of the account menu, in their order. */
export function adminLinksIn(place: 'menu' | 'header'): { label: string; to: string }[] {
  return adminLinks
    .flatMap(({ to, [place]: shown }) => (shown === undefined ? [] : [{ to, ...shown }]))
    .toSorted((a, b) => a.order - b.order)
    .map(({ label, to }) => ({ label, to }))
}

/**
 * For an administrator who still needs a second factor: no page opens to them yet, and the guard of this one says why.
 */
export const lockedAdminLink = { label: 'Admin Panel', to: '/admin' }

const groupLabels: Record<(typeof adminNavGroups)[number], string> = {
  overview: 'Overview',
  content: 'Content',
  members: 'Members',
  inbox: 'Inbox',
  site: 'Site',
}

interface NavLink {
  label: string
  to: string
  above: readonly string[]
}

/** The navigation of the administration: every page that a feature lists, in groups. */
export const adminNav: readonly { group: string; label: string; links: NavLink[] }[] = adminNavGroups
  .map((group) => ({
    group,
    label: groupLabels[group],
    links: adminLinks
      .flatMap(({ to, nav }) => (nav?.group === group ? [{ to, ...nav }] : []))
      .toSorted((a, b) => a.order - b.order)
      .map(({ label, to, above = [] }) => ({ label, to, above })),
  }))
  .filter(({ links }) => links.length > 0)
