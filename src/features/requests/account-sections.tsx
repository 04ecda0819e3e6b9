import type { AccountPageContribution } from '../accounts/settings/account-page.ts'

/** What the requests say where a member is about to delete their account. */
export const requestsOnAccountPage: AccountPageContribution<unknown> = {
  feature: 'requests',
  sections: [],
  DeletionLosses: () => <li>your votes for requests, and your inquiries with their answers</li>,
  DeletionNotes: () => <p>Requests that you have made stay, without saying whose they were.</p>,
}
