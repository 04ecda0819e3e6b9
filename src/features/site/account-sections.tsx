import type { AccountPageContribution } from '../accounts/settings/account-page.ts'
import { ContactSection } from './parts/contact-section.tsx'

/** The site's own sections of the account page. */
export const siteOnAccountPage: AccountPageContribution<{ communityUrl: string; dmcaEmail: string }> = {
  feature: 'site',
  sections: [{ name: 'contact', order: 60, Section: ContactSection }],
}
