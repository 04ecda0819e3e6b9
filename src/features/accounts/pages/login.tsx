import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { appContext } from '../../../http/pages/page-context.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { pageMeta } from '../../../ui/page-meta.ts'
import { PasswordField, TextField } from '../../../ui/text-field.tsx'
import { openAccountSession } from '../browser/open-account-session.ts'
import { AccountForm, FormPage } from '../parts/form-page.tsx'
import { SignedInAlready } from '../parts/signed-in-already.tsx'
import { useLater } from '../parts/use-later.ts'
import { networkRefusal, refusalOf, textOf, useSubmission } from '../parts/use-submission.ts'
import { useCarriedEmail, useNextPath, wayTo } from '../parts/auth-links.ts'
import { checkSignIn } from '../user/registration.ts'
import { useSession } from '../../../browser/session-store.ts'
import type { Route } from './+types/login.ts'

/** How long the good news stands before the next page (docs/spec/words.md#constants). */
const redirectMs = 1_500

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(appContext).config.brandName }
}

/** The loader's data is the same for every address of this page. */
export function shouldRevalidate(): boolean {
  return false
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Sign in', brand: loaderData?.brandName ?? 'Sign in', indexed: false })
}

export default function Login() {
  const { session } = useSession()
  const navigate = useNavigate()
  const next = useNextPath()
  const carriedEmail = useCarriedEmail()
  const later = useLater()
  const [typedEmail, setTypedEmail] = useState<string>()
  const [done, setDone] = useState<string>()

  const submission = useSubmission({
    check: (values) => checkSignIn({ email: textOf(values, 'email'), password: textOf(values, 'password') }),
    unreachable: networkRefusal,
    async send(values) {
      const reply = await openAccountSession(
        textOf(values, 'email'),
        textOf(values, 'password'),
        values.has('remember'),
      )
      if (!reply.ok) return { ...refusalOf(reply, 'Login failed. Please try again.'), goOnWith: 'password' }
      setDone('Login successful! Redirecting...')
      // Back leads to where the visitor came from, not to a form that is filled in already.
      later(redirectMs, () => void navigate(next, { replace: true }))
      return undefined
    },
  })

  if (session !== undefined && !submission.isSending && done === undefined) {
    return <SignedInAlready session={session} next={next} />
  }
  const { errorOf } = submission
  return (
    <FormPage
      isForVisitors
      title="Welcome Back"
      lead="Sign in to access your account"
      elsewhere={
        <>
          Not a member yet?{' '}
          <Link className="text-link" to={wayTo('/register', next)}>
            Create an account
          </Link>
        </>
      }
    >
      <AccountForm submission={submission} label="Sign In" labelWhileSending="Signing in..." done={done}>
        <TextField
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={carriedEmail}
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
          <Checkbox name="remember" label="Remember me" />
          <Link
            className="text-link"
            to={wayTo('/forgot-password', next)}
            state={{ email: typedEmail ?? carriedEmail }}
          >
            Forgot password?
          </Link>
        </div>
      </AccountForm>
    </FormPage>
  )
}
