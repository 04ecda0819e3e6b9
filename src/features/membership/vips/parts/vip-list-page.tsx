import type { ReactNode } from 'react'
import { Select } from '../../../../ui/select.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { useAddressFilters } from '../../../office/parts/use-address-filters.ts'
import type { VipUser } from '../vip-schema.ts'
import type { VipAction } from './vip-action-dialog.tsx'
import { VipList } from './vip-list.tsx'

/** The differences between the lists of VIPs. */
export interface VipListDescription {
  title: string
  lead: string
  /** To the other list. */
  link: ReactNode
  /** The path of `GET path`. */
  path: string
  label: string
  /** The choice beside the search, which stands in the address under its name; the first value is empty. */
  choice: { name: string; label: string; options: { value: string; label: string }[] }
  dateHead: string
  actionsOf: (user: VipUser, now: number) => readonly VipAction[]
  /** Said of an empty list. */
  empty: string
  /** The next step in an empty list without a search. */
  emptyStep: ReactNode
  /** Said when the list cannot be loaded. */
  failure: string
}

/** A list of VIPs for administrators. Search, choice and page stand in the address. */
export function VipListPage({ list }: { list: VipListDescription }) {
  const filters = useAddressFilters()
  const { title, lead, link, choice, ...shown } = list
  return (
    <WorkPage title={title} lead={lead} actions={link}>
      <VipList
        {...shown}
        filters={filters}
        names={['search', choice.name]}
        tools={
          <Select {...choice} value={filters.get(choice.name)} onChange={(value) => filters.set(choice.name, value)} />
        }
      />
    </WorkPage>
  )
}
