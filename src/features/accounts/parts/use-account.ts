import { useSession } from '../../../browser/session-store.ts'
import { useApiQuery } from '../../../browser/queries.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'
import { knownProfile } from '../../office/viewer/known-profile.ts'
import { loadProfile } from '../../office/viewer/load-profile.ts'

type Account =
  | { view: 'waiting' }
  | { view: 'loaded'; profile: AccountForMember }
  | { view: 'signed-out' }
  /** The server could not be asked; `isFetching` while a further try is under way. */
  | { view: 'unreachable'; isFetching: boolean }

/** The profile of the signed-in member, kept fresh: another session, or none, changes it at once. */
export function useAccount(): { account: Account; tryAgain: () => void } {
  const { isSettled, session } = useSession()
  const token = session?.token
  const { data, error, isFetching, refetch } = useApiQuery({
    path: '/auth/dashboard',
    fetch: loadProfile,
    initial: () => {
      const known = knownProfile(token)
      return known === undefined ? undefined : { data: known.profile, at: known.at }
    },
  })
  return { account: viewOf(), tryAgain: refetch }

  function viewOf(): Account {
    if (!isSettled) return { view: 'waiting' }
    if (token === undefined) return { view: 'signed-out' }
    if (data !== undefined) return { view: 'loaded', profile: data }
    return error === undefined ? { view: 'waiting' } : { view: 'unreachable', isFetching }
  }
}
