import { useState } from 'react'
import { TextLink } from '../../../ui/button.tsx'
import { accountsContext } from '../page-context.ts'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { EmailField } from '../../../ui/text-field.tsx'
import { callApi, sentenceOf } from '../../../browser/api-client.ts'
import { AccountForm, FormPage } from '../parts/form-page.tsx'
import { networkRefusal, refusalOf, textOf, useSubmission } from '../parts/use-submission.ts'
import { useCarriedEmail, useNextPath, wayTo } from '../parts/auth-links.ts'
import { checkForgotPassword } from '../user/registration.ts'
import type { Route } from './+types/forgot-password.ts'

export { staysLoaded as shouldRevalidate } from '../../../ui/page-meta.ts'

const failed = 'Error sending reset email. Please try again.'

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(accountsContext).texts.inForce.brandName }
}

export const meta = unindexedMeta('Forgot password')

export default function ForgotPassword() {
  const next = useNextPath()
  const carriedEmail = useCarriedEmail()
  const [done, setDone] = useState<string>()

  const submission = useSubmission({
    check(values) {
      setDone(undefined)
      return checkForgotPassword(textOf(values, 'email'))
    },
    unreachable: { message: failed, detail: networkRefusal.message },
    async send(values) {
      const reply = await callApi('/forgot-password', {
        method: 'POST',
        body: { email: textOf(values, 'email') },
        isPublic: true,
      })
      if (!reply.ok) return refusalOf(reply, failed)
      setDone(sentenceOf(reply) ?? 'Password reset link sent!')
      return undefined
    },
  })

  return (
    <FormPage
      title="Forgot password?"
      lead="We email you a link to choose a new one."
      elsewhere={<TextLink to={wayTo('/login', next)}>Back to sign in</TextLink>}
    >
      <AccountForm
        submission={submission}
        label="Send Reset Link"
        labelWhileSending="Sending..."
        isOver={false}
        done={
          done === undefined ? undefined : (
            <>
              <p>{done}</p>
              <p>
                If an account has this address, an email is on its way. Its link works once, within 30 minutes. No
                email? Check your spam folder, and check the address. We send one every 10 minutes at most.
              </p>
            </>
          )
        }
      >
        <EmailField
          label="Email"
          name="email"
          autoComplete="username"
          defaultValue={carriedEmail}
          problem={submission.errorOf('email')}
        />
      </AccountForm>
    </FormPage>
  )
}
