import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { TextLink } from '../../../ui/button.tsx'
import { accountsContext } from '../page-context.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { PasswordField, EmailField } from '../../../ui/text-field.tsx'
import type { Reply } from '../../../browser/api-client.ts'
import { isFactorAsked, openAccountSession, type ShownFactor } from '../browser/open-account-session.ts'
import type { SecondStep } from '../parts/factors/second-step.tsx'
import { AccountForm, FormPage } from '../parts/form-page.tsx'
import { SignedInAlready } from '../parts/signed-in-already.tsx'
import { useLater } from '../../../ui/use-later.ts'
import { networkRefusal, refusalOf, textOf, useSubmission, type Submission } from '../parts/use-submission.ts'
import { useCarriedEmail, useNextPath, wayTo } from '../parts/auth-links.ts'
import { checkSignIn } from '../user/registration.ts'
import { useSession } from '../../../browser/session-store.ts'
import type { Route } from './+types/login.ts'

export { staysLoaded as shouldRevalidate } from '../../../ui/page-meta.ts'

/** How long the good news stands before the next page (docs/spec/words.md#constants). */
const redirectMs = 1_500

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(accountsContext).texts.inForce.brandName }
}

export const meta = unindexedMeta('Sign in')

/** A sign-in with the right password that waits for a second factor. It is held in this page alone. */
interface Halfway {
  email: string
  password: string
  isRemembered: boolean
  asked: unknown
  Step: ComponentType<ComponentProps<typeof SecondStep>>
}

export default function Login() {
  const { session } = useSession()
  const navigate = useNavigate()
  const next = useNextPath()
  const carriedEmail = useCarriedEmail()
  const later = useLater()
  const [done, setDone] = useState<string>()
  const [halfway, setHalfway] = useState<Halfway>()
  const [isConfirming, setIsConfirming] = useState(false)
  /** The initial values of the first step after a return to it. */
  const [returned, setReturned] = useState<{ email: string; isRemembered: boolean }>()

  // After a return the password comes next: it was not stored.
  useEffect(() => {
    if (returned !== undefined) document.querySelector<HTMLElement>('.account-form [name="password"]')?.focus()
  }, [returned])

  const succeed = (): void => {
    setDone('Login successful! Redirecting...')
    // Back leads to where the visitor came from, not to a form that is filled in already.
    later(redirectMs, () => void navigate(next, { replace: true }))
  }

  const submission = useSubmission({
    check: (values) => checkSignIn({ email: textOf(values, 'email'), password: textOf(values, 'password') }),
    async send(values) {
      const [email, password, isRemembered] = [
        textOf(values, 'email'),
        textOf(values, 'password'),
        values.has('remember'),
      ]
      const reply = await openAccountSession(email, password, isRemembered)
      if (isFactorAsked(reply)) {
        const step = await loadSecondStep()
        if (step === undefined) return networkRefusal
        setHalfway({ email, password, isRemembered, asked: reply.data, Step: step.SecondStep })
        return undefined
      }
      if (!reply.ok) return { ...refusalOf(reply, 'Login failed. Please try again.'), goOnWith: 'password' }
      succeed()
      return undefined
    },
  })

  if (session !== undefined && !submission.isSending && !isConfirming && done === undefined) {
    return <SignedInAlready session={session} next={next} />
  }
  if (halfway !== undefined) {
    const { email, password, isRemembered, asked, Step } = halfway
    const signIn = async (factor?: ShownFactor): Promise<Reply> => {
      setIsConfirming(true)
      try {
        const reply = await openAccountSession(email, password, isRemembered, factor)
        if (reply.ok) succeed()
        return reply
      } finally {
        setIsConfirming(false)
      }
    }
    return (
      <Step
        email={email}
        asked={asked}
        signIn={signIn}
        done={done}
        onBack={() => {
          setReturned({ email, isRemembered })
          setHalfway(undefined)
        }}
      />
    )
  }
  return (
    <SignInForm
      submission={submission}
      next={next}
      done={done}
      email={returned?.email ?? carriedEmail}
      isRemembered={returned?.isRemembered ?? false}
    />
  )
}

/** The first step of a sign-in. */
function SignInForm({
  submission,
  next,
  done,
  email,
  isRemembered,
}: {
  submission: Submission
  next: string
  done: string | undefined
  email: string | undefined
  isRemembered: boolean
}) {
  const [typedEmail, setTypedEmail] = useState<string>()
  const { errorOf } = submission
  return (
    <FormPage
      isForVisitors
      title="Welcome Back"
      lead="Sign in to access your account"
      elsewhere={
        <>
          Not a member yet? <TextLink to={wayTo('/register', next)}>Create an account</TextLink>
        </>
      }
    >
      <AccountForm submission={submission} label="Sign In" labelWhileSending="Signing in..." done={done}>
        <EmailField
          label="Email"
          name="email"
          autoComplete="username"
          defaultValue={email}
          problem={errorOf('email')}
          onInput={(event) => setTypedEmail(event.currentTarget.value)}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          problem={errorOf('password')}
        />
        <div className="form-row">
          <Checkbox name="remember" label="Remember me" defaultChecked={isRemembered} />
          <TextLink to={wayTo('/forgot-password', next)} state={{ email: typedEmail ?? email }}>
            Forgot password?
          </TextLink>
        </div>
      </AccountForm>
    </FormPage>
  )
}

/** Only who has a second factor loads it. @returns undefined where it could not be loaded */
function loadSecondStep() {
  return import('../parts/factors/second-step.tsx').catch(() => undefined)
}
