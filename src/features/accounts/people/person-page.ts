import type { ReactNode } from 'react'
import type { Person } from './people-schema.ts'

/** Where one member is asked for. */
export function personPath(id: string): string {
  return `/api/people/${id}`
}

/** What the page of a member hands to whatever stands on it. */
export interface PersonPageProps {
  person: Person
  /** When the answer came, in milliseconds since 1970. */
  now: number
  /** Has the member asked for anew. */
  onChanged: () => void
  /** Called when the account is gone. */
  onGone: () => void
}

/** What a feature puts on the page of a member. Each lists its own in its `person-sections.tsx`. */
export interface PersonPageContribution {
  feature: string
  /** Sections stand in the order of these numbers, whichever feature they belong to. */
  sections: readonly { name: string; order: number; Section: (page: PersonPageProps) => ReactNode }[]
}
