import type { ReactNode } from 'react'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'

/** The props of every section of the account page. `Facts`: the facts of the site that a feature uses. */
export interface AccountPageProps<Facts> {
  profile: AccountForMember
  facts: Facts
  /** When the page was opened, in milliseconds since 1970. */
  now: number
  /** Called when the profile is known not to be true any more. */
  onStale: () => void
  onSignOut: () => void
  /** Called when the account is gone, while the last word on it still stands. */
  onDeleted: () => void
  deletion: { losses: ReactNode; notes: ReactNode }
}

type Component<Props> = (props: Props) => ReactNode

/** The pages of a member's settings: common ones, and one link further the rare ones. */
export type AccountPage = 'account' | 'security'

export const securityPath = '/account/security'

export interface AccountSection<Facts> {
  name: string
  /** `account` where it is not said. */
  page?: AccountPage
  /** Sections stand in the order of these numbers, whichever feature they belong to. */
  order: number
  Section: Component<AccountPageProps<Facts>>
}

/** A feature's section of the account page. Each feature lists its own in its `account-sections.tsx`. */
export interface AccountPageContribution<Facts> {
  feature: string
  sections: readonly AccountSection<Facts>[]
  /** Stands around the sections of all features, and holds what those of this one share. */
  Provider?: Component<AccountPageProps<Facts> & { children: ReactNode }>
  /** List items: what a member loses who deletes their account. */
  DeletionLosses?: Component<Pick<AccountPageProps<Facts>, 'profile' | 'now'>>
  /** Paragraphs: what outlives the account. */
  DeletionNotes?: Component<Pick<AccountPageProps<Facts>, 'profile' | 'now'>>
}
