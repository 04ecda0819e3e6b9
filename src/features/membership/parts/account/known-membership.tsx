import { createContext, type ReactNode, use } from 'react'
import type { AccountPageProps } from '../../../accounts/settings/account-page.ts'
import { type KnownMembership, useMembership } from './use-membership.ts'

const Context = createContext<KnownMembership>({
  membership: undefined,
  hasFailed: false,
  isFetching: false,
  tryAgain: () => {},
})

/** The caller's membership, fetched once for the whole account page. */
export function useKnownMembership(): KnownMembership {
  return use(Context)
}

export function KnownMembershipProvider({
  profile,
  onStale,
  children,
}: Pick<AccountPageProps<unknown>, 'profile' | 'onStale'> & { children: ReactNode }) {
  const known = useMembership(({ isVip }) => {
    if (isVip !== profile.isVip) onStale()
  })
  return <Context value={known}>{children}</Context>
}
