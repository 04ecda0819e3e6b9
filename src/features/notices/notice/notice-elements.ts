import type { NoticeKind } from './notice-kinds.ts'

/** The elements of notices by their form names, and which of them each kind needs (docs/spec/notices.md#elements). Browser-safe. */

/** In the order in which they are listed. */
export const elementNames = [
  'name',
  'organization',
  'address',
  'phone',
  'email',
  'itemUrls',
  'workDescription',
  'explanation',
  'lawCited',
  'goodFaith',
  'accuracy',
  'perjury',
  'signature',
] as const
export type ElementName = (typeof elementNames)[number]

/** The elements of a notice besides its addresses; null for an empty one. */
export interface NoticeFields {
  name: string | null
  organization: string | null
  address: string | null
  phone: string | null
  email: string | null
  workDescription: string | null
  explanation: string | null
  lawCited: string | null
  goodFaith: boolean
  accuracy: boolean
  perjury: boolean
  signature: string | null
}

/**
 * The elements of a complete notice. Copyright: 17 U.S.C. 512(c)(3)(A). Intimate images: the Take It Down Act, §
 * 3(a)(1)(B). Something else: article 16(2) of the EU's Digital Services Act. `email` may be another way
 * (`waysToReach`).
 */
export const neededElements: Record<NoticeKind, readonly ElementName[]> = {
  'child-safety': ['itemUrls', 'explanation'],
  'intimate-image': ['itemUrls', 'email', 'goodFaith', 'signature'],
  consent: ['name', 'email', 'itemUrls', 'explanation'],
  copyright: ['name', 'email', 'itemUrls', 'workDescription', 'goodFaith', 'accuracy', 'perjury', 'signature'],
  privacy: ['name', 'email', 'itemUrls', 'explanation'],
  other: ['itemUrls', 'explanation', 'goodFaith'],
}

/** The ways to reach a sender; the law requires one. */
export function waysToReach(kind: NoticeKind): readonly ('email' | 'phone' | 'address')[] {
  if (kind === 'copyright') return ['email', 'phone', 'address']
  return kind === 'intimate-image' ? ['email', 'phone'] : ['email']
}

/** Whether a sender may be asked for it: the law wants it, or it helps to do what the law wants. */
export function mayBeRequested(kind: NoticeKind, name: string): boolean {
  const needed = neededElements[kind]
  const ways = needed.includes('email') ? waysToReach(kind) : []
  return [...needed, ...ways, ...(kind === 'intimate-image' ? ['explanation'] : [])].some((each) => each === name)
}

const labels: Record<ElementName, string> = {
  name: 'Your name',
  organization: 'Organization',
  address: 'Your postal address',
  phone: 'Your telephone number',
  email: 'Your email address',
  itemUrls: 'Address of each entry',
  workDescription: 'Your work',
  explanation: 'What is wrong',
  lawCited: 'The law that it breaks',
  goodFaith: 'The statement of good faith',
  accuracy: 'The statement that the notice is accurate',
  perjury: 'The statement under penalty of perjury',
  signature: 'Your signature',
}

/** The label of the sender's own words in each form, the same where they are missing. */
const explanationLabels: Record<NoticeKind, string> = {
  'child-safety': labels.explanation,
  'intimate-image': 'What the image shows',
  consent: 'What it is about',
  copyright: labels.explanation,
  privacy: 'What it is about',
  other: 'Why it is illegal',
}

export function elementLabel(kind: NoticeKind, name: ElementName): string {
  if (name === 'email' && kind === 'copyright') return 'An email address, a telephone number or a postal address'
  if (name === 'email' && kind === 'intimate-image') return 'An email address or a telephone number'
  if (name === 'explanation') return explanationLabels[kind]
  return labels[name]
}

export function isElementName(text: string): text is ElementName {
  return (elementNames as readonly string[]).includes(text)
}

export function isGiven(kind: NoticeKind, name: ElementName, fields: NoticeFields, addresses: number): boolean {
  if (name === 'itemUrls') return addresses > 0
  if (name === 'email') return waysToReach(kind).some((way) => fields[way] !== null)
  const value = fields[name]
  return typeof value === 'boolean' ? value : value !== null
}

/** The elements that a notice of this kind still needs, in the order of its list. */
export function missingElements(kind: NoticeKind, fields: NoticeFields, addresses: number): ElementName[] {
  return neededElements[kind].filter((name) => !isGiven(kind, name, fields, addresses))
}
