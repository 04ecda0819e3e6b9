import { useEffect } from 'react'
import { data, redirect, useActionData } from 'react-router'
import { TextLink } from '../../../ui/button.tsx'
import { pageVisit, sentFields } from '../../../http/pages/page-context.ts'
import { isAppError, presentError } from '../../../platform/errors.ts'
import { Notice } from '../../../ui/notice.tsx'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { FormPage } from '../../accounts/parts/form-page.tsx'
import { sendCounterNotice } from '../desk/file-counter-notice.server.ts'
import { counterNoticeParts } from '../intake/counter-notice-form.ts'
import { refusedForm } from '../intake/follow-up.server.ts'
import { readReference } from '../notice/reference.ts'
import { noticesContext } from '../page-context.ts'
import { TypedForm } from '../parts/typed-form.tsx'
import type { Refused } from '../parts/use-typed-form.ts'
import type { Route } from './+types/counter-notice.ts'
import '../parts/notices.css'
import { dropTabDraft } from '../../../browser/tab-draft.ts'

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
export async function action({ context }: Route.ActionArgs) {
  const typed = sentFields(context)
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

export const meta = unindexedMeta('Counter-notice')

/** For the publisher of what was removed after a copyright notice. */
export default function CounterNotice({ loaderData: { contactEmail, reference, isSent } }: Route.ComponentProps) {
  const outcome = useActionData<typeof action>()
  useEffect(() => {
    if (isSent) dropTabDraft(draft)
  }, [isSent])
  return (
    <FormPage
      title="Counter-notice"
      lead={
        isSent
          ? 'Thank you.'
          : 'For the person who published an entry that we removed after a copyright notice (17 U.S.C. 512(g)(3)). The law asks for everything on this form.'
      }
      elsewhere={
        <>
          Questions? Write to{' '}
          <a className="text-link" href={`mailto:${contactEmail}`}>
            {contactEmail}
          </a>
          . Do you want to report something? <TextLink to="/report">All ways to report</TextLink>.
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
              A person looks at it within one business day. If it answers a copyright notice that took an entry off this
              site, we accept it and forward it to the person who sent that notice. We put the entry back 10 to 14
              business days after we received your counter-notice, unless we learn of a court action first. If we refuse
              it, we tell you why.
            </p>
          </section>
          <p className="quiet-label">We email you about it at the address you gave.</p>
        </div>
      ) : (
        <>
          <ul className="notice-points">
            <li>
              Once we accept your counter-notice, we forward it, with your name and contact details, to the person who
              sent the notice.
            </li>
            <li>If you knowingly make a false statement, you may be liable for damages.</li>
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
