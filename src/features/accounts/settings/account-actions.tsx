import { Button, TextLink } from '../../../ui/button.tsx'
import { type AccountPageProps, securityPath } from './account-page.ts'
import { useSettingsDialogs } from './settings-dialogs.tsx'
import { AccountPart } from './settings-section.tsx'

export function AccountSecurity() {
  return (
    <AccountPart title="Account Security">
      <p>Changing your password signs you out everywhere else. We'll email you to confirm.</p>
      <div className="button-row account-steps">
        <ChangePasswordButton />
      </div>
      <p>
        <TextLink to={securityPath}>Email address, two-step sign-in, sessions, devices and your data</TextLink>
      </p>
    </AccountPart>
  )
}

export function AccountActions({ onSignOut }: Pick<AccountPageProps<unknown>, 'onSignOut'>) {
  const { open } = useSettingsDialogs()
  return (
    <AccountPart title="Account Actions">
      <div className="button-row account-steps">
        <Button label="Sign Out" onClick={onSignOut} />
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
  return <Button label="Change Password" aria-haspopup="dialog" onClick={() => open('password')} />
}
