import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ButtonLink, TextLink } from '../../../ui/button.tsx'
import { accountsContext } from '../page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { StatePage } from '../../../ui/state-page.tsx'
import { PasswordField } from '../../../ui/text-field.tsx'
import { useIsHydrated } from '../../../ui/use-is-hydrated.ts'
import { callApi, NetworkError, sentenceOf } from '../../../browser/api-client.ts'
import { current } from '../../../browser/session-store.ts'
import { AccountForm, FormPage } from '../parts/form-page.tsx'
import { useLinkToken } from '../parts/use-link-token.ts'
import { networkRefusal, refusalOf, textOf, useSubmission } from '../parts/use-submission.ts'
import { checkReset } from '../user/registration.ts'
import type { Route } from './+types/reset-password.ts'

export { staysLoaded as shouldRevalidate } from '../../../ui/page-meta.ts'

const failed = 'Error resetting password. Please try again.'

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(accountsContext).texts.inForce.brandName }
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    // Before anything is fetched: the address of this page holds a secret.
    { name: 'referrer', content: 'no-referrer' },
    ...pageMeta({ title: 'Reset password', brand: loaderData?.brandName ?? 'Reset password', indexed: false }),
  ]
}

export default function ResetPassword() {
  const isHydrated = useIsHydrated()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const token = useLinkToken()
  const [isLinkSpent, setIsLinkSpent] = useState(false)
  const [done, setDone] = useState<string>()

  const submission = useSubmission({
    check: (values) =>
      checkReset({ password: textOf(values, 'password'), confirmation: textOf(values, 'confirmation') }),
    unreachable: { message: failed, detail: networkRefusal.message },
    async send(values) {
      setIsLinkSpent(false)
      const reply = await callApi('/reset-password', {
        method: 'POST',
        body: { token, password: textOf(values, 'password') },
        isPublic: true,
      })
      if (!reply.ok) {
        setIsLinkSpent((reply.data as { code?: unknown } | undefined)?.code === 'reset.invalid')
        return refusalOf(reply, failed)
      }
      setDone(sentenceOf(reply) ?? 'Password reset successfully.')
      void navigate(pathname, { replace: true, preventScrollReset: true })
      // All sessions of the account have ended; one that this browser holds is forgotten if it was among them.
      void forgetEndedSession()
      return undefined
    },
  })

  if (isHydrated && token === undefined && done === undefined) return <MissingToken />
  const { errorOf } = submission
  return (
    <FormPage title="Reset password" lead="Choose a new password for your account.">
      <AccountForm
        submission={submission}
        label="Reset Password"
        labelWhileSending="Resetting password..."
        done={
          done === undefined ? undefined : (
            <>
              <p>{done}</p>
              <p>Every device that was signed in has been signed out.</p>
            </>
          )
        }
        remedy={
          isLinkSpent ? (
            <p>
              <TextLink to="/forgot-password">Send a new link</TextLink>
            </p>
          ) : null
        }
        instead={done === undefined ? undefined : <ButtonLink look="solid" label="Sign in" to="/login" replace />}
      >
        <PasswordField
          label="New Password"
          name="password"
          autoComplete="new-password"
          required
          help="At least 8 characters."
          problem={errorOf('password')}
        />
        <PasswordField
          label="Confirm Password"
          name="confirmation"
          autoComplete="new-password"
          required
          problem={errorOf('confirmation')}
        />
      </AccountForm>
    </FormPage>
  )
}

/** The page for a link whose token was lost on the way. */
function MissingToken() {
  return (
    <div className="column">
      <StatePage
        drawing="missing"
        title={<span lang="pt">Token ausente na URL.</span>}
        steps={
          <>
            <ButtonLink look="solid" label="Send a new link" to="/forgot-password" />
            <ButtonLink label="Back to sign in" to="/login" />
          </>
        }
      >
        <p>The link is incomplete. Open the whole link from the email again, or request a new one.</p>
      </StatePage>
    </div>
  )
}

/** The call alone removes a token that the server rejects. */
async function forgetEndedSession(): Promise<void> {
  if (current().session === undefined) return
  try {
    await callApi('/auth/status')
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
  }
}
