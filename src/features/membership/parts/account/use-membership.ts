import { useEffect, useRef } from 'react'
import { fetches, useApiQuery } from '../../../../browser/queries.ts'
import { MembershipForMember } from '../../account/membership-schema.ts'

export const membershipPath = '/pay/membership'

/** The caller's membership, as far as it is known. An earlier answer stays when a later query fails. */
export interface KnownMembership {
  membership: MembershipForMember | undefined
  hasFailed: boolean
  isFetching: boolean
  tryAgain: () => void
}

/**
 * The caller's membership; fetched again when they come back to this tab, for example from the billing portal.
 * @param onNews receives each answer
 */
export function useMembership(onNews?: (membership: MembershipForMember) => void): KnownMembership {
  const { data, error, isFetching, refetch } = useApiQuery({
    ...fetches(membershipPath, MembershipForMember),
    refetchOnReturn: true,
  })
  const hear = useRef(onNews)
  useEffect(() => {
    hear.current = onNews
  }, [onNews])
  useEffect(() => {
    if (data !== undefined) hear.current?.(data)
  }, [data])
  return { membership: data, hasFailed: error !== undefined, isFetching, tryAgain: refetch }
}
