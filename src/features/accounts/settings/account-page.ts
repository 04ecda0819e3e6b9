import type { ReactNode } from 'react'
import type { AccountForMember } from '../account/account-schema.ts'

/** What the account page hands to whatever stands on it. `Facts` is what a feature needs to know of the site. */
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
  /** What all features say where a member is about to delete their account. */
  deletion: { losses: ReactNode; notes: ReactNode }
}

type Component<Props> = (props: Props) => ReactNode

/** Where a member's settings stand: what everyone looks for, and one link further what is rarely changed. */
export type AccountPage = 'account' | 'security'

export const securityPath = '/account/security'

/** A section of the account page, or of the page of security behind it. */
export interface AccountSection<Facts> {
  name: string
  /** `account` where it is not said. */
  page?: AccountPage
  /** Sections stand in the order of these numbers, whichever feature they belong to. */
  order: number
  Section: Component<AccountPageProps<Facts>>
}

/** What a feature puts on the account page. Each lists its own in its `account-sections.tsx`. */
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
