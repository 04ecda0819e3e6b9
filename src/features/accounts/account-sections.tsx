import { AccountActions, AccountSecurity } from './settings/account-actions.tsx'
import type { AccountPageContribution, AccountPageProps } from './settings/account-page.ts'
import { DownloadMyData } from './settings/download-my-data.tsx'
import { ProfileCard } from './settings/profile-card.tsx'
import { SessionsList } from './settings/sessions-list.tsx'
import { type AccountFacts, SettingsDialogsProvider } from './settings/settings-dialogs.tsx'

/** What the accounts put on the account page. */
export const accountsOnAccountPage: AccountPageContribution<AccountFacts> = {
  feature: 'accounts',
  Provider: SettingsDialogsProvider,
  sections: [
    { name: 'profile', order: 10, Section: ProfileCard },
    { name: 'security', order: 30, Section: AccountSecurity },
    { name: 'sessions', order: 40, Section: Sessions },
    { name: 'data', order: 50, Section: DownloadMyData },
    { name: 'actions', order: 70, Section: AccountActions },
  ],
}

function Sessions({ onSignOut }: AccountPageProps<AccountFacts>) {
  return <SessionsList onSignOut={onSignOut} />
}
