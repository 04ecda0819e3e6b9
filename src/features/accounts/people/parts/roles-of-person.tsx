import { Badge } from '../../../../ui/badge.tsx'
import type { PersonInList } from '../people-schema.ts'
import './people.css'

/** What somebody may do beyond every member, as badges; of a member without a role, the word alone. */
export function RolesOfPerson({ isAdmin, isSafetyOfficer }: Pick<PersonInList, 'isAdmin' | 'isSafetyOfficer'>) {
  if (!isAdmin) return 'Member'
  return (
    <span className="person-roles">
      <Badge icon="shield">Administrator</Badge>
      {isSafetyOfficer ? <Badge>Safety officer</Badge> : null}
    </span>
  )
}
