import { randomUUID } from 'node:crypto'
import { data, redirect, useActionData } from 'react-router'
import { TextLink } from '../../../ui/button.tsx'
import { pageVisit, sentFields } from '../../../http/pages/page-context.ts'
import { isAppError, presentError } from '../../../platform/errors.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { FormPage } from '../../accounts/parts/form-page.tsx'
import { entryQuery, reportedEntry } from '../intake/reported-entry.ts'
import { formAt, formWords, type NoticeForm, urgentWords } from '../intake/notice-forms.ts'
import { faultsOfNotice, missingInForm } from '../intake/typed-notice.ts'
import { refusedForm } from '../intake/follow-up.server.ts'
import { sendNotice } from '../intake/send-notice.server.ts'
import { receiptPath } from '../intake/tracking-token.server.ts'
import { noticesContext } from '../page-context.ts'
import { TypedForm } from '../parts/typed-form.tsx'
import type { Refused } from '../parts/use-typed-form.ts'
import type { Route } from './+types/notice-form.ts'
import '../parts/notices.css'

interface Outcome {
  refused: Refused
  isCrowded: boolean
}

/** The five forms are one page. */
export function loader({ context, url }: Route.LoaderArgs) {
  const { config, texts } = context.get(noticesContext)
  const { brandName, contactEmail } = texts.inForce
  const entry = reportedEntry(url.searchParams)
  return {
    form: formAt(url.pathname),
    brandName,
    contactEmail,
    entry: entry === undefined ? undefined : `${config.publicUrl}${entry}`,
    back: `/report${entryQuery(url.searchParams)}`,
    // Two sendings of one page are one notice.
    sending: randomUUID(),
  }
}

/** POST, and then 303 to the receipt; a form that is refused shows the page with what is wrong. */
export async function action({ context, url }: Route.ActionArgs) {
  const form = formAt(url.pathname)
  const typed = sentFields(context)
  let token
  try {
    const { address } = context.get(pageVisit)
    token = await sendNotice(context.get(noticesContext), { form, typed, address })
  } catch (error) {
    if (!isAppError(error)) throw error
    const { status, headers } = presentError(error)
    return data<Outcome>({ refused: refusedForm(error, typed), isCrowded: status === 429 }, { status, headers })
  }
  throw redirect(receiptPath(token), 303)
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders
}

export function meta({ loaderData }: Route.MetaArgs) {
  const title = loaderData === undefined ? 'Report content' : formWords[loaderData.form].title
  return pageMeta({ title, brand: loaderData?.brandName ?? title, indexed: false })
}

export default function NoticeFormRoute({ loaderData }: Route.ComponentProps) {
  const { form, contactEmail, entry, back, sending } = loaderData
  const { title, lead, notes, parts, send } = formWords[form]
  const outcome = useActionData<typeof action>()
  return (
    <FormPage
      title={title}
      lead={lead}
      elsewhere={
        <>
          Is it about something else? <TextLink to={back}>All ways to report</TextLink>. You can also write to{' '}
          <a className="text-link" href={`mailto:${contactEmail}`}>
            {contactEmail}
          </a>
          .
        </>
      }
    >
      {notes.length === 0 ? null : (
        <ul className="notice-points">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <TypedForm
        key={form}
        draft={form}
        parts={parts}
        hidden={{ sending: outcome?.refused.typed.sending ?? sending }}
        typed={entry === undefined ? {} : { itemUrls: entry }}
        refused={outcome?.refused}
        send={send}
        incomplete={{
          faultsIn: (typed) => faultsOfNotice(form, typed),
          missingIn: (typed) => missingInForm(form, typed),
        }}
        urgent={outcome?.isCrowded === true ? <Urgent form={form} contactEmail={contactEmail} /> : null}
      />
    </FormPage>
  )
}

/** Shows another way to report a grave matter when a limit is reached. */
function Urgent({ form, contactEmail }: { form: NoticeForm; contactEmail: string }) {
  const isGrave = form === 'child-safety' || form === 'intimate-image'
  const [before, after] = urgentWords(form)
  return (
    <p>
      {isGrave ? '' : 'Your text stays here. '}
      {before}
      <a className="text-link" href={`mailto:${contactEmail}`}>
        {contactEmail}
      </a>
      {after}
    </p>
  )
}
