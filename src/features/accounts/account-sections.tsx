import { AccountActions, AccountSecurity } from './settings/account-actions.tsx'
import type { AccountPageContribution, AccountPageProps } from './settings/account-page.ts'
import { AppPasswordsSection } from './settings/app-passwords-section.tsx'
import { DevicesList } from './settings/devices-list.tsx'
import { DownloadMyData } from './settings/download-my-data.tsx'
import { EmailSection } from './settings/email-section.tsx'
import { FactorNeededNotice } from './settings/factors/factor-needed-notice.tsx'
import { TwoStepSection } from './settings/factors/two-step-section.tsx'
import { PrivateFeedSection } from './settings/private-feed-section.tsx'
import { ProfileCard } from './settings/profile-card.tsx'
import { SessionsList } from './settings/sessions-list.tsx'
import { SettingsDialogsProvider } from './settings/settings-dialogs.tsx'

export const accountsOnAccountPage: AccountPageContribution<unknown> = {
  feature: 'accounts',
  Provider: SettingsDialogsProvider,
  sections: [
    { name: 'profile', order: 10, Section: ProfileCard },
    { name: 'factor-needed', order: 11, Section: FactorNeededNotice },
    { name: 'security', order: 30, Section: AccountSecurity },
    { name: 'private-feed', order: 40, Section: PrivateFeedSection },
    { name: 'email', page: 'security', order: 28, Section: EmailSection },
    { name: 'two-step', page: 'security', order: 35, Section: TwoStepSection },
    { name: 'sessions', page: 'security', order: 40, Section: Sessions },
    { name: 'devices', page: 'security', order: 45, Section: DevicesList },
    { name: 'app-passwords', order: 55, Section: AppPasswordsSection },
    { name: 'data', page: 'security', order: 50, Section: DownloadMyData },
    { name: 'actions', order: 70, Section: AccountActions },
  ],
}

function Sessions({ onSignOut }: AccountPageProps<unknown>) {
  return <SessionsList onSignOut={onSignOut} />
}
