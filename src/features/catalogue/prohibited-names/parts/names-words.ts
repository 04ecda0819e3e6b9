import type { ProhibitedNames, WantedNames } from '../prohibited-names-schema.ts'

export const namesPath = '/api/prohibited-names'

export const nameLists = [
  {
    list: 'refused',
    label: 'Refused everywhere',
    help: 'No name holds one of these, in any spelling. One term on each line; a term may have several words.',
  },
  {
    list: 'minority',
    label: 'Words of minority',
    help: "Refused beside a word of sex, also where one stands in the name and the other in the category, and as the whole name of a category: 'Teen' is refused, 'Teen Fiction' is not.",
  },
  {
    list: 'sexual',
    label: 'Words of sex',
    help: 'Refused beside a word of minority, and as the whole name of a category. One of them in a title is allowed.',
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
