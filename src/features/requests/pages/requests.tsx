import { useLocation } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { useSession } from '../../../browser/session-store.ts'
import { requestsContext } from '../page-context.ts'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { WorkPage } from '../../../ui/work-page.tsx'
import { wayTo } from '../../accounts/parts/auth-links.ts'
import { MembersRequests } from '../parts/members-requests.tsx'
import { titleParameter } from '../parts/request-paths.ts'
import type { Route } from './+types/requests.ts'
import '../parts/requests.css'

export { staysLoaded as shouldRevalidate } from '../../../ui/page-meta.ts'

export function loader({ context }: Route.LoaderArgs) {
  return { brandName: context.get(requestsContext).texts.inForce.brandName }
}

export const meta = unindexedMeta('Requests')

export default function RequestsRoute() {
  const { isSettled, session } = useSession()
  const { pathname, search } = useLocation()
  const firstTitle = new URLSearchParams(search).get(titleParameter) ?? ''
  return (
    <WorkPage
      title="Requests"
      lead="Is something missing? Members can ask for it and vote for what others have asked for. Everyone who voted gets an email once it is available to them."
    >
      <div className="requests">
        {session === undefined ? (
          <p className={isSettled ? 'button-row' : 'button-row without-script'}>
            <ButtonLink
              look="solid"
              label="Sign in to ask"
              to={wayTo('/login', pathname + (isSettled ? search : ''))}
            />
            <ButtonLink label="Create an account" to={wayTo('/register', pathname + (isSettled ? search : ''))} />
          </p>
        ) : (
          <MembersRequests key={session.token} firstTitle={firstTitle} whose={session.email} />
        )}
      </div>
    </WorkPage>
  )
}
