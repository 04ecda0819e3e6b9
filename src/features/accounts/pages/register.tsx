import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ButtonLink, TextLink } from '../../../ui/button.tsx'
import { accountsContext } from '../page-context.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { EmailField, PasswordField, TextField } from '../../../ui/text-field.tsx'
import { callApi, NetworkError } from '../../../browser/api-client.ts'
import { openAccountSession } from '../browser/open-account-session.ts'
import { AccountForm, FormPage } from '../parts/form-page.tsx'
import { SignedInAlready } from '../parts/signed-in-already.tsx'
import { useLater } from '../../../ui/use-later.ts'
import { networkRefusal, refusalOf, textOf, useSubmission, type Submission } from '../parts/use-submission.ts'
import { useNextPath, wayTo } from '../parts/auth-links.ts'
import { checkRegistrationForm } from '../user/registration.ts'
import { useSession } from '../../../browser/session-store.ts'
import type { Route } from './+types/register.ts'

export { staysLoaded as shouldRevalidate } from '../../../ui/page-meta.ts'

/** How long the good news stands before the next page (docs/spec/words.md#constants). */
const redirectMs = 1_000

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(accountsContext).texts.inForce.brandName }
}

export const meta = unindexedMeta('Create an account')

export default function Register({ loaderData }: Route.ComponentProps) {
  const { session } = useSession()
  const navigate = useNavigate()
  const next = useNextPath()
  const later = useLater()
  const [done, setDone] = useState<string>()
  /** The address of an account that was made, and could not be signed in to. */
  const [strandedEmail, setStrandedEmail] = useState<string>()

  const submission = useSubmission({
    check: (values) =>
      checkRegistrationForm({
        name: textOf(values, 'name'),
        email: textOf(values, 'email'),
        password: textOf(values, 'password'),
        confirmation: textOf(values, 'confirmation'),
        hasAcceptedTerms: values.has('hasAcceptedTerms'),
      }),
    unreachable: networkRefusal,
    async send(values) {
      const [email, password] = [textOf(values, 'email'), textOf(values, 'password')]
      const reply = await callApi('/auth/register', {
        method: 'POST',
        body: { name: textOf(values, 'name'), email, password },
        isPublic: true,
      })
      if (!reply.ok) return refusalOf(reply, 'Registration failed. Please try again.')
      setDone('Account created successfully! Logging you in...')
      if (await signsIn(email, password)) {
        later(redirectMs, () => void navigate(next, { replace: true }))
        return undefined
      }
      setDone(undefined)
      setStrandedEmail(email)
      return { message: 'Account created but automatic login failed.' }
    },
  })

  if (session !== undefined && !submission.isSending && done === undefined) {
    return <SignedInAlready session={session} next={next} />
  }
  return (
    <FormPage
      isForVisitors
      title={
        <>
          Join <bdi>{loaderData.brandName}</bdi>
        </>
      }
      lead="An account is free."
      elsewhere={
        strandedEmail === undefined ? (
          <>
            Have an account already? <TextLink to={wayTo('/login', next)}>Sign in</TextLink>
          </>
        ) : undefined
      }
    >
      <AccountForm
        submission={submission}
        label="Create Account"
        labelWhileSending="Creating account..."
        done={done}
        instead={
          strandedEmail === undefined ? undefined : (
            <ButtonLink look="solid" label="Sign in" to={wayTo('/login', next)} state={{ email: strandedEmail }} />
          )
        }
      >
        <RegistrationFields errorOf={submission.errorOf} />
      </AccountForm>
    </FormPage>
  )
}

function RegistrationFields({ errorOf }: Pick<Submission, 'errorOf'>) {
  return (
    <>
      <TextField label="Full Name" name="name" autoComplete="name" required problem={errorOf('name')} />
      <EmailField label="Email Address" name="email" autoComplete="username" problem={errorOf('email')} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        required
        help="At least 6 characters."
        problem={errorOf('password')}
      />
      <PasswordField
        label="Confirm Password"
        name="confirmation"
        autoComplete="new-password"
        required
        problem={errorOf('confirmation')}
      />
      <Checkbox
        name="hasAcceptedTerms"
        required
        label={
          <>
            I accept the <NewTab to="/terms">Terms of Service</NewTab> and the{' '}
            <NewTab to="/privacy">Privacy Policy</NewTab>
          </>
        }
        problem={errorOf('hasAcceptedTerms')}
      />
    </>
  )
}

/** A page to read beside the form: what is typed stays where it is. */
function NewTab({ to, children }: { to: string; children: string }) {
  return (
    <a className="text-link" href={to} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}

async function signsIn(email: string, password: string): Promise<boolean> {
  try {
    const { ok } = await openAccountSession(email, password, false)
    return ok
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return false
  }
}
