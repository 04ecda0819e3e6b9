import { randomUUID } from 'node:crypto'
import { data, useActionData } from 'react-router'
import { TextLink } from '../../../ui/button.tsx'
import { pageVisit, sentFields } from '../../../http/pages/page-context.ts'
import { isAppError, presentError } from '../../../platform/errors.ts'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { FormPage } from '../../accounts/parts/form-page.tsx'
import { anonymous } from '../../office/viewer/viewer.ts'
import { requestsContext } from '../page-context.ts'
import { SupportForm, type SupportOutcome } from '../parts/support-form.tsx'
import { sendInquiry, sentSentence } from '../support/send-inquiry.server.ts'
import type { Route } from './+types/support.ts'

/** The longest text that is shown again, to be shortened. */
const longestShown = 20_000

export function loader({ context }: Route.LoaderArgs) {
  const { brandName, contactEmail } = context.get(requestsContext).texts.inForce
  // Two sendings of one page are one inquiry.
  return { brandName, contactEmail, sending: randomUUID() }
}

/** The form of a browser without JavaScript. It knows of no session, so it is nobody's. */
export async function action({ context }: Route.ActionArgs) {
  const fields = sentFields(context)
  const text = (name: string): string => (fields[name] ?? '').replaceAll('\0', '')
  const typed = { name: text('name'), email: text('email'), message: text('message') }
  try {
    const { address } = context.get(pageVisit)
    await sendInquiry(context.get(requestsContext), anonymous, { ...typed, sending: text('sending'), address })
  } catch (error) {
    if (!isAppError(error)) throw error
    const { status, headers } = presentError(error)
    const shown = { ...typed, message: typed.message.slice(0, longestShown) }
    const outcome: SupportOutcome = { message: error.message, code: error.code, field: error.field, typed: shown }
    return data(outcome, { status, headers })
  }
  return data<SupportOutcome>({ message: sentSentence })
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders
}

export const meta = unindexedMeta('Support')

/** How to reach the operator: a form, also without JavaScript, and their address. */
export default function SupportRoute({ loaderData: { contactEmail, sending } }: Route.ComponentProps) {
  return (
    <FormPage
      title="Support"
      lead="Write to the people who run this library. They answer by email."
      elsewhere={
        <>
          Or write to{' '}
          <a className="text-link" href={`mailto:${contactEmail}`}>
            {contactEmail}
          </a>
          . Is something missing from the library? <TextLink to="/requests">Ask for it</TextLink>. To report content, go
          to <TextLink to="/report">Report content</TextLink>. Programs use the{' '}
          <TextLink to="/docs">HTTP interface</TextLink>.
        </>
      }
    >
      <SupportForm outcome={useActionData<typeof action>()} sending={sending} />
    </FormPage>
  )
}
