import { data, Form, useActionData } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { pageVisit } from '../../../http/pages/page-context.ts'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { StatePage } from '../../../ui/state-page.tsx'
import { catalogueContext } from '../page-context.ts'
import { endDigest, findDigest, type Unsubscribing } from '../saved-searches/unsubscribe.server.ts'
import type { Route } from './+types/unsubscribe.ts'
import { limitUnsubscribing } from '../saved-searches/saved-searches.server.ts'

/** Looking at it ends nothing: programs that check links open them all. */
export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const app = context.get(catalogueContext)
  const { method, address } = context.get(pageVisit)
  // A form has taken its own.
  if (method !== 'POST') await limitUnsubscribing(app, address)
  const state = await findDigest(app, token)
  return data({ brandName: app.texts.inForce.brandName, state }, { status: state.kind === 'unknown' ? 404 : 200 })
}

/** The button, and the one POST of a mail program (RFC 8058): neither needs a session. */
export async function action({ params: { token }, context }: Route.ActionArgs) {
  const app = context.get(catalogueContext)
  await limitUnsubscribing(app, context.get(pageVisit).address)
  const state = await endDigest(app, token)
  return data(state, { status: state.kind === 'unknown' ? 404 : 200 })
}

export const meta = unindexedMeta('Digest by email')

export default function UnsubscribeRoute({ loaderData }: Route.ComponentProps) {
  const state: Unsubscribing = useActionData<typeof action>() ?? loaderData.state
  const back = <ButtonLink label="Your saved searches" to="/account/searches" />
  if (state.kind === 'unknown')
    return (
      <div className="column">
        <StatePage drawing="missing" title="This link is not valid" steps={back}>
          <p>Open the link in the latest digest, or change your digests in your account.</p>
        </StatePage>
      </div>
    )
  if (state.kind === 'over')
    return (
      <div className="column">
        <StatePage drawing="empty" title="This digest has ended" steps={back}>
          <p>You will get no more emails about this search.</p>
        </StatePage>
      </div>
    )
  return (
    <div className="column">
      <StatePage
        drawing="shut"
        title="End this digest?"
        steps={
          <Form method="post">
            <button type="submit" className="button button-solid">
              End these emails
            </button>
          </Form>
        }
      >
        <p>
          You get emails with what is new in “<bdi>{state.name}</bdi>”. The search stays in your account.
        </p>
      </StatePage>
    </div>
  )
}
