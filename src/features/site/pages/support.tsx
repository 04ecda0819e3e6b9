import { Link } from 'react-router'
import { appContext } from '../../../http/pages/page-context.ts'
import { pageMeta } from '../../../ui/page-meta.ts'
import { StatePage } from '../../../ui/state-page.tsx'
import { ForAdministrators } from '../parts/for-administrators.tsx'
import type { Route } from './+types/support.ts'

export function loader({ context }: Route.LoaderArgs) {
  const { brandName, contactEmail } = context.get(appContext).config
  return { brandName, contactEmail }
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta({ title: 'Support', brand: loaderData?.brandName ?? 'Support', indexed: false })
}

/** How to reach the operator: by mail, while there is no form. */
export default function Support({ loaderData: { contactEmail } }: Route.ComponentProps) {
  return (
    <div className="column">
      <StatePage
        drawing="empty"
        title="Support"
        steps={
          <>
            <a className="button button-solid" href={`mailto:${contactEmail}`}>
              {`Write to ${contactEmail}`}
            </a>
            <Link className="button" to="/report">
              Report content
            </Link>
          </>
        }
        foot={
          <ForAdministrators>
            The support form is not part of this version: inquiries reach the address in CONTACT_EMAIL, and none are
            kept here.
          </ForAdministrators>
        }
      >
        <p>
          Email the people who run this library. Say what you wanted to do, what happened instead, and the address of
          the page. They can find your account by the address that you sign in with; never send your password.
        </p>
        <p>
          Programs are welcome, too:{' '}
          <Link className="text-link" to="/docs">
            how they ask this site
          </Link>
          .
        </p>
      </StatePage>
    </div>
  )
}
