import type { ProhibitedNames, WantedNames } from '../prohibited-names-schema.ts'

export const namesPath = '/api/prohibited-names'

export const nameLists = [
  {
    list: 'refused',
    label: 'Refused everywhere',
    help: 'No name may contain any of these, in any spelling. One term per line; a term can be several words.',
  },
  {
    list: 'minority',
    label: 'Words for minors',
    help: "Refused beside a sexual word, even when one is in the name and the other in the category, and as the whole name of a category: 'Teen' is refused, 'Teen Fiction' is not.",
  },
  {
    list: 'sexual',
    label: 'Sexual words',
    help: 'Refused beside a word for minors, and as the whole name of a category. On its own in a title, it is allowed.',
  },
] as const

type List = (typeof nameLists)[number]['list']

export function termsOf(list: List, { refused, pairs }: Pick<WantedNames, 'refused' | 'pairs'>): readonly string[] {
  return list === 'refused' ? refused : pairs[list]
}

export function addedTo(list: List, names: ProhibitedNames): string {
  const builtIn = new Set(termsOf(list, names.builtIn))
  return termsOf(list, names)
    .filter((term) => !builtIn.has(term))
    .join('\n')
}

/** The terms of a field; blank lines are none. */
export function linesIn(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || [])
}

export function savedByOthers(names: ProhibitedNames): string[] {
  return nameLists.flatMap(({ list, label }) => {
    const added = addedTo(list, names)
    return added === '' ? [] : [`${label}: ${added.replaceAll('\n', ', ')}`]
  })
}
