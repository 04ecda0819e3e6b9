import { data } from 'react-router'
import { appContext } from '../../../platform/page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { StatePage } from '../../../ui/state-page.tsx'
import type { Route } from './+types/not-open-yet.ts'

/** Parts of the house that have a door already and no room behind it: says so, and whom to ask meanwhile. */
export function loader({ url, context }: Route.LoaderArgs) {
  const { brandName, contactEmail } = context.get(appContext).config
  const isPlans = url.pathname.startsWith('/plans')
  return data({ brandName, contactEmail, isPlans }, { status: 404 })
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Not open yet', brand: loaderData?.brandName ?? 'Not open yet', indexed: false })
}

export default function NotOpenYet({ loaderData }: Route.ComponentProps) {
  const { contactEmail, isPlans } = loaderData
  return (
    <div className="column">
      <StatePage
        drawing="shut"
        title="This part of the library is not open yet."
        steps={
          <a className="button button-solid" href={`mailto:${contactEmail}`}>
            {`Write to ${contactEmail}`}
          </a>
        }
      >
        <p>Until it opens, the operator answers by mail.</p>
        {isPlans ? (
          <>
            <p id="privacy">Privacy Policy: the operator sends the text on request.</p>
            <p id="terms">Terms of Service: the operator sends the text on request.</p>
          </>
        ) : null}
      </StatePage>
    </div>
  )
}
