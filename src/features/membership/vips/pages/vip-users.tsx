import { ButtonLink } from '../../../../ui/button.tsx'
import { optionsOf } from '../../../../ui/select.tsx'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { type VipListDescription, VipListPage } from '../parts/vip-list-page.tsx'
import { actionsOfVip } from '../parts/vip-table.tsx'

export const handle = { title: 'VIP Users Management' } satisfies TitledPage

export const meta = guardedMeta

const list: VipListDescription = {
  title: handle.title,
  lead: 'Everyone who is or was VIP, latest expiry first. Search finds every member, so you can make anyone a VIP.',
  link: <ButtonLink label="Disabled VIP Users" to="/admin-vip-disabled" />,
  path: '/auth/vip-users',
  label: 'VIP users',
  choice: {
    name: 'filter',
    label: 'Filter',
    options: optionsOf({ active: 'Active', expired: 'Expired' }, 'All'),
  },
  dateHead: 'Expiration',
  actionsOf: actionsOfVip,
  empty: 'No users found',
  emptyStep: <ButtonLink label="See all people" to="/admin/people" />,
  failure: 'Failed to load VIP users. Please try again.',
}

export default function VipUsersRoute() {
  return <VipListPage list={list} />
}
