import { useState } from 'react'
import { data, useActionData, useLocation, useNavigate } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { pageVisit } from '../../../http/pages/page-context.ts'
import { isAppError, presentError } from '../../../platform/errors.ts'
import { callApi, sentenceOf } from '../../../browser/api-client.ts'
import { useSession } from '../../../browser/session-store.ts'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { pageMeta } from '../../../ui/page-meta.ts'
import { StatePage } from '../../../ui/state-page.tsx'
import { useIsHydrated } from '../../../ui/use-is-hydrated.ts'
import { confirmAddress } from '../address/confirm-address.server.ts'
import { confirmedSentence } from '../address/confirmed-sentence.ts'
import { accountsContext } from '../page-context.ts'
import { FormPage } from '../parts/form-page.tsx'
import { useLinkToken } from '../parts/use-link-token.ts'
import { networkRefusal, useSubmission } from '../parts/use-submission.ts'
import type { Route } from './+types/confirm-address.ts'
import '../parts/form-page.css'

export { staysLoaded as shouldRevalidate } from '../../../ui/page-meta.ts'

const failed = 'The address could not be confirmed. Please try again.'

interface Outcome {
  message: string
  /** `again`: the link is still good. */
  kind: 'done' | 'spent' | 'again'
}

/** The final errors: the link itself is refused. */
const spent: ReadonlySet<unknown> = new Set(['address_link.invalid', 'address.taken', 'account.invalid'])

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(accountsContext).texts.inForce.brandName }
}

/** The form of a browser without JavaScript: it goes to the address of the link, which holds the token. */
export async function action({ context }: Route.ActionArgs) {
  const { query, address } = context.get(pageVisit)
  try {
    const confirmed = await confirmAddress(context.get(accountsContext), { token: query?.get('token') ?? '', address })
    return data<Outcome>({ message: confirmedSentence(confirmed), kind: 'done' })
  } catch (error) {
    if (!isAppError(error)) throw error
    const { status, headers } = presentError(error)
    return data<Outcome>(
      { message: error.message, kind: spent.has(error.code) ? 'spent' : 'again' },
      { status, headers },
    )
  }
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    // The address of this page holds a secret. With `no-referrer` its form would come without the origin that a form needs.
    { name: 'referrer', content: 'strict-origin' },
    ...pageMeta({
      title: 'Confirm your address',
      brand: loaderData?.brandName ?? 'Confirm your address',
      indexed: false,
    }),
  ]
}

/** The target of an email's link: one button, so that no program that follows links confirms an address. */
export default function ConfirmAddress() {
  const isHydrated = useIsHydrated()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { session } = useSession()
  const token = useLinkToken()
  // Kept: what an action has answered is gone with the next change of the address.
  const [outcome, setOutcome] = useState<Outcome | undefined>(useActionData<typeof action>())

  const submission = useSubmission({
    check: () => undefined,
    unreachable: { message: failed, detail: networkRefusal.message },
    async send() {
      const reply = await callApi('/confirm-address', { method: 'POST', body: { token }, isPublic: true })
      const { code } = (reply.data ?? {}) as { code?: unknown }
      setOutcome({
        message: sentenceOf(reply) ?? failed,
        kind: reply.ok ? 'done' : spent.has(code) ? 'spent' : 'again',
      })
      if (reply.ok) void navigate(pathname, { replace: true, preventScrollReset: true })
      return undefined
    },
  })

  if (isHydrated && token === undefined && outcome === undefined) {
    return (
      <div className="column">
        <StatePage
          drawing="missing"
          title="This link is incomplete"
          steps={<ButtonLink look="solid" label="Go to your account" to="/account" />}
        >
          <p>
            Open the whole link from the email again, or have another one sent from Security and data on your account
            page.
          </p>
        </StatePage>
      </div>
    )
  }
  const { isSending, refusal, onSubmit } = submission
  return (
    <FormPage title="Confirm your address" lead="So that we know that our emails reach you.">
      <form className="account-form" method="post" noValidate onSubmit={onSubmit}>
        <Announced>
          {refusal === undefined ? null : (
            <Notice tone="failed">
              <p>{refusal.message}</p>
              {refusal.detail === undefined ? null : <p>{refusal.detail}</p>}
            </Notice>
          )}
          {outcome === undefined ? null : (
            <Notice tone={outcome.kind === 'done' ? 'done' : 'failed'}>
              <p>{outcome.message}</p>
            </Notice>
          )}
        </Announced>
        {outcome === undefined || outcome.kind === 'again' ? (
          <button type="submit" className="button button-solid" aria-disabled={isSending}>
            {isSending ? <span className="spinner" aria-hidden="true" /> : null}
            {isSending ? 'Confirming...' : 'Confirm address'}
          </button>
        ) : (
          // Loaded anew: what this tab knows of the account may be out of date.
          <ButtonLink
            look="solid"
            label={session === undefined ? 'Sign in' : 'Go to your account'}
            to={session === undefined ? '/login?next=/account' : '/account'}
            reloadDocument
          />
        )}
      </form>
    </FormPage>
  )
}
