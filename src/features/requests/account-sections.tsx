import type { AccountPageContribution } from '../accounts/settings/account-page.ts'

export const requestsOnAccountPage: AccountPageContribution<unknown> = {
  feature: 'requests',
  sections: [],
  DeletionLosses: () => <li>your votes for requests, and your inquiries with their answers</li>,
  DeletionNotes: () => <p>Your requests stay, without your name.</p>,
}
