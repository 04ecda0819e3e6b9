import type { ActionsByGroup, AuditSubjects, NamesOf } from '../office/audit/audit-event.ts'

export const catalogueActions = {
  content: {
    'item.created': 'Created an entry',
    'item.changed': 'Changed an entry',
    'item.published': 'Published an entry',
    'item.unpublished': 'Unpublished an entry',
    'item.restricted': 'Took an entry off the site',
    'item.removed': 'Removed an entry by a decision',
    'item.restored': 'Reversed the removal of an entry',
    'item.verified': 'Verified the rights of an entry',
    'item.deleted': 'Deleted an entry',
    'evidence.stored': 'Stored a file of evidence',
    'consent.withdrawn': 'Recorded a withdrawn consent',
    'consent.renewed': 'Recorded a new consent',
    'items.imported': 'Imported entries',
    'items.exported': 'Exported the catalogue',
    'items.bulk_edited': 'Edited entries in bulk',
    'items.bulk_undone': 'Undid a bulk edit',
    'category.created': 'Added a category',
    'category.renamed': 'Renamed a category',
    'category.merged': 'Merged a category into another',
    'category.removed': 'Removed a category',
    'filter.saved': 'Saved a filter of the content list',
    'filter.deleted': 'Deleted a saved filter',
  },
  settings: {
    'settings.gateway_saved': "Saved the gateway's settings",
    'settings.prohibited_names_saved': 'Changed the prohibited names',
  },
} as const satisfies ActionsByGroup

export const catalogueSubjects = {
  item: {
    words: ({ details }) => firstText(details['name'], details['slug']) ?? 'an entry',
    path: ({ action, id }) =>
      action === 'item.deleted' ? undefined : `/admin/settings?edit=${encodeURIComponent(id)}`,
  },
  category: {
    words: ({ details }) => firstText(details['name'], details['from'], details['after']) ?? 'a category',
    path: () => '/admin/categories',
  },
  saved_filter: {
    words: ({ details }) => firstText(details['name']) ?? 'a saved filter',
    path: () => '/admin/settings',
  },
  import: { words: () => 'an import', path: () => '/admin/import' },
  bulk_edit: { words: () => 'a bulk edit', path: () => '/admin/bulk-edit' },
  'setting:gateway': { words: () => 'the gateway settings', path: () => '/admin/gateway' },
  'setting:prohibited-names': { words: () => 'the prohibited names', path: () => '/admin/prohibited-names' },
} satisfies AuditSubjects

/** The name at that time: it outlives an entry or a category. */
function firstText(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '')
}

declare module '../office/audit/audit-event.ts' {
  interface KnownActions {
    catalogue: NamesOf<typeof catalogueActions>
  }
  interface KnownSubjects {
    catalogue: keyof typeof catalogueSubjects
  }
}
