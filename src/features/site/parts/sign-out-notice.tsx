import { Button } from '../../../ui/button.tsx'
import { storeUntoldSignOut } from '../../../browser/session-store.ts'

/** For somebody who signed out without a connection, on any page that they see later. */
export function SignOutNotice() {
  return (
    <div className="column sign-out-notice" role="status">
      <div className="notice notice-calm">
        <p>
          You are signed out in this browser, but the server could not be told. Your session ends there by itself, or
          sooner from the list of sessions under Security and data on your account page.
        </p>
        <Button label="Close" onClick={() => storeUntoldSignOut(false)} />
      </div>
    </div>
  )
}
