import { useEffect } from 'react'
import { data, Link, redirect, useActionData } from 'react-router'
import { pageVisit } from '../../../http/pages/page-context.ts'
import { isAppError, presentError } from '../../../platform/errors.ts'
import { Notice } from '../../../ui/notice.tsx'
import { pageMeta } from '../../../ui/page-meta.ts'
import { FormPage } from '../../accounts/parts/form-page.tsx'
import { sendCounterNotice } from '../desk/send-counter-notice.server.ts'
import { counterNoticeFields, counterNoticeParts } from '../intake/counter-notice-form.ts'
import { refusedForm } from '../intake/refused-form.server.ts'
import { readTyped } from '../intake/typed-notice.ts'
import { readReference } from '../notice/reference.ts'
import { noticesContext } from '../page-context.ts'
import { dropDraft } from '../parts/typed-draft.ts'
import { type Refused, TypedForm } from '../parts/typed-form.tsx'
import type { Route } from './+types/counter-notice.ts'
import '../parts/notices.css'

interface Outcome {
  refused: Refused
}

const draft = 'counter-notice'

export function loader({ context, url }: Route.LoaderArgs) {
  const { brandName, contactEmail } = context.get(noticesContext).texts.inForce
  return {
    brandName,
    contactEmail,
    reference: readReference(url.searchParams.get('reference') ?? ''),
    isSent: url.searchParams.get('done') === 'sent',
  }
}

/** POST, and then 303 to the receipt, so that a reload sends nothing again. Answers alike whether the reference is that of a notice or not: who reported what is nobody's business. */
export async function action({ request, context }: Route.ActionArgs) {
  const typed = readTyped(
    await request.formData(),
    counterNoticeFields.map(({ name }) => name),
  )
  try {
    const { address } = context.get(pageVisit)
    await sendCounterNotice(context.get(noticesContext), { typed, address })
  } catch (error) {
    if (!isAppError(error)) throw error
    const { status, headers } = presentError(error)
    return data<Outcome>({ refused: refusedForm(error, typed) }, { status, headers })
  }
  throw redirect('/report/counter-notice?done=sent', 303)
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Counter-notice', brand: loaderData?.brandName ?? 'Counter-notice', indexed: false })
}

/** For whoever published what was taken off the site after a copyright notice. */
export default function CounterNotice({ loaderData: { contactEmail, reference, isSent } }: Route.ComponentProps) {
  const outcome = useActionData<typeof action>()
  useEffect(() => {
    if (isSent) dropDraft(draft)
  }, [isSent])
  return (
    <FormPage
      title="Counter-notice"
      lead={
        isSent
          ? 'Thank you.'
          : 'For whoever published what was removed after a copyright notice, under 17 U.S.C. 512(g)(3). It needs all that is asked here.'
      }
      elsewhere={
        <>
          Questions? Write to{' '}
          <a className="text-link" href={`mailto:${contactEmail}`}>
            {contactEmail}
          </a>
          . Something to report?{' '}
          <Link className="text-link" to="/report">
            All ways to report
          </Link>
          .
        </>
      }
    >
      {isSent ? (
        <div className="receipt">
          <Notice tone="done">
            <p>Your counter-notice has arrived.</p>
          </Notice>
          <section aria-labelledby="then">
            <h2 id="then">What happens now</h2>
            <p>
              A person looks at it within one business day. If it answers a copyright notice after which something was
              taken off the site, they accept it, and it goes to the sender of that notice. Between 10 and 14 business
              days after it came, what it names is given back, unless we learn of a court action before. If they refuse
              it, we tell you why.
            </p>
          </section>
          <p className="receipt-quiet">Emails about it go to the address that you gave.</p>
        </div>
      ) : (
        <>
          <ul className="notice-points">
            <li>
              Once we accept it, your counter-notice, with your name and address, is passed on to whoever sent the
              notice.
            </li>
            <li>Whoever knowingly says what is untrue may be liable for damages.</li>
          </ul>
          <TypedForm
            draft={draft}
            parts={counterNoticeParts}
            hidden={{}}
            typed={reference === undefined ? {} : { reference }}
            refused={outcome?.refused}
            send="Send counter-notice"
          />
        </>
      )}
    </FormPage>
  )
}
