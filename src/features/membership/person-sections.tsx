import type { PersonPageContribution } from '../accounts/people/person-page.ts'
import { PersonAccess } from './vips/parts/person-access.tsx'

export const membershipOnPersonPage: PersonPageContribution = {
  feature: 'membership',
  sections: [{ name: 'access', order: 20, Section: PersonAccess }],
}
