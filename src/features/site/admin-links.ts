import { type AdminLink, adminNavGroups } from '../accounts/parts/admin-link.ts'
import { catalogueAdminLinks } from '../catalogue/admin-links.ts'
import { accountsAdminLinks } from '../accounts/admin-links.ts'
import { requestsAdminLinks } from '../requests/admin-links.ts'
import { membershipAdminLinks } from '../membership/admin-links.ts'

/** Pages whose features are not part of this version: they say so. */
const siteAdminLinks: readonly AdminLink[] = [
  {
    to: '/admin/settings',
    menu: { label: 'Admin Settings', order: 30 },
    header: { label: 'Admin Panel', order: 10 },
    nav: { label: 'Content', group: 'content', order: 10 },
  },
  {
    to: '/admin/stats',
    menu: { label: 'View Stats', order: 20 },
    header: { label: 'Statistics', order: 20 },
    nav: { label: 'Statistics', group: 'overview', order: 20 },
  },
  { to: '/admin-vip-users', nav: { label: 'VIP users', group: 'members', order: 40 } },
]

/** The links of all features, in the order of the row. */
const adminLinks: readonly AdminLink[] = [
  ...accountsAdminLinks,
  ...membershipAdminLinks,
  ...catalogueAdminLinks,
  ...requestsAdminLinks,
  ...siteAdminLinks,
]

/** The administrators' links of one place, in their order. */
export function adminLinksIn(place: 'menu' | 'header' | 'nav'): { label: string; to: string }[] {
  return adminLinks
    .flatMap(({ to, [place]: shown }) => {
      if (shown === undefined) return []
      const group = 'group' in shown ? adminNavGroups.indexOf(shown.group) : 0
      return [{ to, label: shown.label, group, order: shown.order }]
    })
    .toSorted((a, b) => a.group - b.group || a.order - b.order)
    .map(({ label, to }) => ({ label, to }))
}
