/** The parts of the site a path can belong to, and what the header makes of them (docs/spec/pages.md#headers). */
export type Section = 'western' | 'asian' | 'banned' | 'unknown' | 'vip' | 'neutral'

const sections = ['western', 'asian', 'banned', 'unknown'] as const

function firstSegment(pathname: string): string {
  return pathname.split('/')[1] ?? ''
}

function sectionOf(pathname: string): Section {
  const first = firstSegment(pathname)
  if (first === 'vip' || first.startsWith('vip-')) return 'vip'
  return sections.find((section) => section === first) ?? 'neutral'
}

/** Whether a path lies in the VIP area of the site, which has a header of its own. */
export function isVipPath(pathname: string): boolean {
  return sectionOf(pathname) === 'vip'
}

/** Whether a path lies on one of the free shelves, which stand in the header there. */
export function isOnShelf(pathname: string): boolean {
  return sections.some((section) => section === firstSegment(pathname))
}

/** The word beside the brand; undefined where a path belongs to no section. */
export function labelOf(pathname: string): string | undefined {
  const section = sectionOf(pathname)
  return section === 'neutral' ? undefined : section.toUpperCase()
}

/** The same for a visitor who has not signed in: their pages have a word too. */
export function visitorLabelOf(pathname: string): string | undefined {
  const first = firstSegment(pathname)
  return ['plans', 'login', 'register'].includes(first) ? first.toUpperCase() : labelOf(pathname)
}

export function vipLabelOf(pathname: string): string {
  const first = firstSegment(pathname)
  const section = sections.find((section) => `vip-${section}` === first)
  return section === undefined ? 'VIP' : `VIP ${section.toUpperCase()}`
}

/** The class that brings a section's accent into force: the house's own ink outside of the sections. */
export function accentOf(pathname: string): string {
  return `accent-${sectionOf(pathname)}`
}
