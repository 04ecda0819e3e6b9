import { type ContentType, vipContentTypes } from '../item/content-type.ts'

/** The sections of the administrators' list. Each has an endpoint of its own (docs/spec/catalogue.md#writing-items). */
export const contentSections = ['asian', 'western', 'vip', 'banned', 'unknown'] as const
export type ContentSection = (typeof contentSections)[number]

export const contentTabs = ['all', ...contentSections] as const
export type ContentTab = (typeof contentTabs)[number]

/** The types that an endpoint lists; the first is that of an item which names none. */
export function typesOf(section: ContentSection): readonly ContentType[] {
  return section === 'vip' ? vipContentTypes : [section]
}

export function sectionOf(contentType: ContentType): ContentSection {
  return contentSections.find((section) => typesOf(section).includes(contentType)) ?? 'western'
}

export function endpointOf<Tab extends ContentTab>(tab: Tab): `/${Tab}content` {
  return `/${tab}content`
}

export const itemStatuses = ['draft', 'published', 'restricted', 'removed'] as const
export type ItemStatus = (typeof itemStatuses)[number]

/**
 * The statuses that the list is filtered by: each that is stored, and of those published the scheduled, of those
 * restricted the hidden (by people or a notice) and the lapsed (by the site itself).
 */
export const listedStatuses = ['draft', 'published', 'scheduled', 'restricted', 'hidden', 'lapsed', 'removed'] as const
export type ListedStatus = (typeof listedStatuses)[number]
