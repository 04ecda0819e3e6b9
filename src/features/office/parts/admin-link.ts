/** The groups of the navigation, in their order. */
export const adminNavGroups = ['overview', 'content', 'members', 'inbox', 'site'] as const

/** A page of the administration, as the navigation leads to it. Each feature lists its own in its `admin-links.ts`. */
export interface AdminLink {
  to: string
  /** In the account menu of administrators; links stand in the order of these numbers, whichever feature they belong to. */
  menu?: { label: string; order: number }
  /** In the header, likewise. */
  header?: { label: string; order: number }
  /** In the navigation that all pages of the administration share, within its group likewise. */
  nav?: {
    label: string
    group: (typeof adminNavGroups)[number]
    order: number
    /** Paths of the pages without a link of their own that it leads to: there it is marked as well. */
    above?: readonly string[]
  }
}
