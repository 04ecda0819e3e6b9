/** The parts of the site a path can belong to, and what the header makes of them (PRODUCT.md, section 3, "Headers"). */
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

/** The word beside the brand; undefined where a path belongs to no section. */
export function labelOf(pathname: string): string | undefined {
  const section = sectionOf(pathname)
  if (section !== 'neutral') return section.toUpperCase()
  const first = firstSegment(pathname)
  return ['plans', 'login', 'register'].includes(first) ? first.toUpperCase() : undefined
}

/** The class that brings a section's accent into force. */
export function accentOf(pathname: string): string {
  const section = sectionOf(pathname)
  return `accent-${section === 'neutral' ? 'asian' : section}`
}
