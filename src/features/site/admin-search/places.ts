import { adminNav } from '../admin-links.ts'

export interface Place {
  title: string
  facts: string
  to: string
}

const actions: readonly Place[] = [
  { title: 'Add an entry', facts: '', to: '/admin/settings?edit=new' },
  { title: 'Import a file of entries', facts: '', to: '/admin/import' },
  { title: 'Import members', facts: '', to: '/admin/people/import' },
  { title: 'Read the interface', facts: 'API', to: '/docs' },
]

const pages: readonly Place[] = adminNav.flatMap(({ group, label, links }) =>
  links.map(({ label: title, to }) => ({ title, facts: group === 'overview' ? '' : label, to })),
)

/** The actions and pages of the administration with every word of a text; all of them for none. */
export function findPlaces(text: string): { name: string; results: readonly Place[] }[] {
  const words = text.trim().toLowerCase().split(/\s+/)
  const fits = ({ title, facts }: Place): boolean =>
    words.every((word) => `${title} ${facts}`.toLowerCase().includes(word))
  return [
    { name: 'Actions', results: actions.filter(fits) },
    { name: 'Pages', results: pages.filter(fits) },
  ].filter(({ results }) => results.length > 0)
}
