import type { ReactNode } from 'react'
import type { Person } from './people-schema.ts'

export function personPath(id: string): string {
  return `/api/people/${id}`
}

/** The props of every section of a member's page. */
export interface PersonPageProps {
  person: Person
  /** When the answer came, in milliseconds since 1970. */
  now: number
  /** Has the member asked for anew. */
  onChanged: () => void
  onGone: () => void
}

/** A feature's section of a member's page. Each feature lists its own in its `person-sections.tsx`. */
export interface PersonPageContribution {
  feature: string
  /** Sections stand in the order of these numbers, whichever feature they belong to. */
  sections: readonly { name: string; order: number; Section: (page: PersonPageProps) => ReactNode }[]
}
