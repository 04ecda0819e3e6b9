import { Badge } from '../../../../ui/badge.tsx'
import type { PersonInList } from '../people-schema.ts'
import './people.css'

/** The roles of a person as badges; a word alone for a member without a role. */
export function RolesOfPerson({ isAdmin, isSafetyOfficer }: Pick<PersonInList, 'isAdmin' | 'isSafetyOfficer'>) {
  if (!isAdmin) return 'Member'
  return (
    <span className="person-roles">
      <Badge icon="shield">Administrator</Badge>
      {isSafetyOfficer ? <Badge>Safety officer</Badge> : null}
    </span>
  )
}
