import type { PersonPageContribution } from '../accounts/people/person-page.ts'
import { PersonData } from './parts/person-data.tsx'

/** The site's own sections of the page of a member. */
export const siteOnPersonPage: PersonPageContribution = {
  feature: 'site',
  sections: [{ name: 'data', order: 50, Section: PersonData }],
}
