import { Link } from 'react-router'
import { type AccountPageProps, securityPath } from './account-page.ts'
import { type AccountFacts, useSettingsDialogs } from './settings-dialogs.tsx'
import { AccountPart } from './settings-section.tsx'

export function AccountSecurity() {
  return (
    <AccountPart title="Account Security">
      <p>Changing your password signs you out everywhere else. We'll email you to confirm.</p>
      <div className="account-steps">
        <ChangePasswordButton />
      </div>
      <p>
        <Link className="text-link" to={securityPath}>
          Email address, two-step sign-in, sessions, devices and your data
        </Link>
      </p>
    </AccountPart>
  )
}

export function AccountActions({ onSignOut }: Pick<AccountPageProps<AccountFacts>, 'onSignOut'>) {
  const { open } = useSettingsDialogs()
  return (
    <AccountPart title="Account Actions">
      <div className="account-steps">
        <button type="button" className="button" onClick={onSignOut}>
          Sign Out
        </button>
        <button
          type="button"
          className="button button-tint accent-banned"
          aria-haspopup="dialog"
          onClick={() => open('delete')}
        >
          Delete Account
        </button>
        <ChangePasswordButton />
      </div>
    </AccountPart>
  )
}

function ChangePasswordButton() {
  const { open } = useSettingsDialogs()
  return (
    <button type="button" className="button" aria-haspopup="dialog" onClick={() => open('password')}>
      Change Password
    </button>
  )
}
