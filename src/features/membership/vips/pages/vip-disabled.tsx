import { ButtonLink } from '../../../../ui/button.tsx'
import { optionsOf } from '../../../../ui/select.tsx'
import { Link } from 'react-router'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { type VipListDescription, VipListPage } from '../parts/vip-list-page.tsx'

export const handle = { title: 'Disabled VIP Users' } satisfies TitledPage

export const meta = guardedMeta

const list: VipListDescription = {
  title: handle.title,
  lead: 'Members whose VIP access an administrator has disabled. Renewing it enables it again.',
  link: (
    <Link className="button" to="/admin-vip-users">
      <Icon name="back" size={16} />
      Back to VIP Users
    </Link>
  ),
  path: '/auth/vip-disabled-users',
  label: 'Disabled VIP users',
  choice: {
    name: 'sort',
    label: 'Sort',
    options: optionsOf({ name: 'By name' }, 'By date'),
  },
  dateHead: 'Last VIP Date',
  actionsOf: () => ['month', 'year'],
  empty: 'No disabled VIP users found',
  emptyStep: <ButtonLink label="See all VIP users" to="/admin-vip-users" />,
  failure: 'Failed to load disabled VIP users. Please try again.',
}

export default function VipDisabledRoute() {
  return <VipListPage list={list} />
}
