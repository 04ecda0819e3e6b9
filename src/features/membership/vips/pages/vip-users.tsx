import { Link } from 'react-router'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { Select } from '../../../../ui/select.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { useAddressFilters } from '../../../accounts/parts/use-address-filters.ts'
import { VipList } from '../parts/vip-list.tsx'
import { actionsOfVip } from '../parts/vip-table.tsx'

export const handle = { title: 'VIP Users Management' } satisfies TitledPage

export const meta = guardedMeta

/** Who is or was VIP, for administrators. Search, filter and page stand in the address. */
export default function VipUsersRoute() {
  const filters = useAddressFilters()
  return (
    <WorkPage
      title="VIP Users Management"
      lead="Who is or was VIP, the latest end first. A search finds every member, so that anyone can be made a VIP."
      actions={
        <Link className="button" to="/admin-vip-disabled">
          Disabled VIP Users
        </Link>
      }
    >
      <VipList
        path="/auth/vip-users"
        label="VIP users"
        filters={filters}
        names={['search', 'filter']}
        tools={
          <Select
            name="filter"
            label="Filter"
            value={filters.get('filter')}
            options={[
              { value: '', label: 'All' },
              { value: 'active', label: 'Active' },
              { value: 'expired', label: 'Expired' },
            ]}
            onChange={(filter) => filters.set('filter', filter)}
          />
        }
        dateHead="Expiration"
        actionsOf={actionsOfVip}
        empty="No users found"
        failure="Failed to load VIP users. Please try again."
      />
    </WorkPage>
  )
}
