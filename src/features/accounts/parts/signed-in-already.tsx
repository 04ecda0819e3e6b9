import { Button, ButtonLink } from '../../../ui/button.tsx'
import type { Session } from '../../../browser/session-store.ts'
import { signOut } from '../browser/sign-out.ts'
import { FormPage } from './form-page.tsx'

/** Replaces a form that opens a session, for a visitor who has one. */
export function SignedInAlready({ session: { name, email }, next }: { session: Session; next: string }) {
  const leave = (): void => {
    // The button goes with this page; the form that takes its place begins here.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
    void signOut()
  }
  return (
    <FormPage
      title="Already signed in"
      lead={
        <>
          As <bdi>{name}</bdi>, <bdi>{email}</bdi>.
        </>
      }
    >
      <div className="button-row form-steps">
        <ButtonLink look="solid" label="Continue" to={next} />
        <Button label="Sign Out" onClick={leave} />
      </div>
    </FormPage>
  )
}
