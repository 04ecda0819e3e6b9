import { Link } from 'react-router'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { Select } from '../../../../ui/select.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { useAddressFilters } from '../../../accounts/parts/use-address-filters.ts'
import { VipList } from '../parts/vip-list.tsx'

export const handle = { title: 'Disabled VIP Users' } satisfies TitledPage

export const meta = guardedMeta

/** Whose membership is disabled, for administrators. Search, order and page stand in the address. */
export default function VipDisabledRoute() {
  const filters = useAddressFilters()
  return (
    <WorkPage
      title="Disabled VIP Users"
      lead="Whose membership an administrator has disabled. Renewing it enables it again."
      actions={
        <Link className="button" to="/admin-vip-users">
          <Icon name="back" size={16} />
          Back to VIP Users
        </Link>
      }
    >
      <VipList
        path="/auth/vip-disabled-users"
        label="Disabled VIP users"
        filters={filters}
        names={['search', 'sort']}
        tools={
          <Select
            name="sort"
            label="Sort"
            value={filters.get('sort')}
            options={[
              { value: '', label: 'By date' },
              { value: 'name', label: 'By name' },
            ]}
            onChange={(sort) => filters.set('sort', sort)}
          />
        }
        dateHead="Last VIP Date"
        actionsOf={() => ['month', 'year']}
        empty="No disabled VIP users found"
        failure="Failed to load disabled VIP users. Please try again."
      />
    </WorkPage>
  )
}
