import { data, redirect, useActionData } from 'react-router'
import { ButtonLink, TextLink } from '../../../ui/button.tsx'
import { pageVisit, sentFields } from '../../../http/pages/page-context.ts'
import { isAppError, presentError } from '../../../platform/errors.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { StatePage } from '../../../ui/state-page.tsx'
import { FormPage } from '../../accounts/parts/form-page.tsx'
import { sendAppeal } from '../desk/file-appeal.server.ts'
import { addToNotice, withdrawNotice, refusedForm } from '../intake/follow-up.server.ts'
import { readTrackedNotice } from '../intake/read-tracked-notice.server.ts'
import { trackingPath } from '../intake/tracking-token.server.ts'
import { noticesContext } from '../page-context.ts'
import { type TrackingAct, TrackedNoticeCard } from '../parts/tracked-notice.tsx'
import type { Refused } from '../parts/use-typed-form.ts'
import type { Route } from './+types/track.ts'
import '../parts/notices.css'

/** The acts of this page; it confirms them afterwards. */
const acts: readonly TrackingAct[] = ['add', 'withdraw', 'appeal']

interface Outcome {
  act: TrackingAct
  refused: Refused
}

export async function loader({ params: { token }, context, url }: Route.LoaderArgs) {
  const app = context.get(noticesContext)
  const { brandName, contactEmail } = app.texts.inForce
  const done = acts.find((act) => act === url.searchParams.get('done'))
  try {
    return { brandName, contactEmail, done, notice: await readTrackedNotice(app, token) }
  } catch (error) {
    if (!isAppError(error) || error.status !== 404) throw error
    return data({ brandName, contactEmail, done, notice: undefined }, { status: 404 })
  }
}

/** POST, and then 303 to the page as it is now; a form that is refused shows the page with what is wrong. */
export async function action({ params: { token }, context }: Route.ActionArgs) {
  const app = context.get(noticesContext)
  const { address } = context.get(pageVisit)
  const { act: named, sure, ...typed } = sentFields(context)
  const act = acts.find((each) => each === named) ?? 'add'
  try {
    if (act === 'withdraw') await withdrawNotice(app, { token, address, isSure: sure === 'on' })
    else if (act === 'appeal') await sendAppeal(app, { token, address, typed })
    else await addToNotice(app, { token, typed, address })
  } catch (error) {
    if (!isAppError(error)) throw error
    const { status, headers } = presentError(error)
    return data<Outcome>({ act, refused: refusedForm(error, typed) }, { status, headers })
  }
  throw redirect(`${trackingPath(token)}?done=${act}`, 303)
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    // The address of this page is a secret, which no other site is told. With `no-referrer` its forms would come without the origin that they need.
    { name: 'referrer', content: 'same-origin' },
    ...pageMeta({ title: 'Your notice', brand: loaderData?.brandName ?? 'Your notice', indexed: false }),
  ]
}

export default function Track({ loaderData: { notice, contactEmail, done } }: Route.ComponentProps) {
  const outcome = useActionData<typeof action>()
  if (notice === undefined) {
    return (
      <div className="column">
        <StatePage
          drawing="missing"
          title="We found no notice at this address"
          steps={<ButtonLink look="solid" label="All ways to report" to="/report" />}
        >
          <p>The address may be incomplete. Copy all of it from the email we sent you, or from where you saved it.</p>
        </StatePage>
      </div>
    )
  }
  return (
    <FormPage
      title={
        <>
          {'Notice '}
          <span className="reference">{notice.reference}</span>
        </>
      }
      lead="This page is private. Anyone who has its address can do what you can do here, so keep it to yourself."
      elsewhere={
        <>
          Questions? Write to{' '}
          <a className="text-link" href={`mailto:${contactEmail}`}>
            {contactEmail}
          </a>{' '}
          and give the reference. Do you want to report something else?{' '}
          <TextLink to="/report">All ways to report</TextLink>.
        </>
      }
    >
      <TrackedNoticeCard notice={notice} done={outcome === undefined ? done : undefined} outcome={outcome} />
    </FormPage>
  )
}
