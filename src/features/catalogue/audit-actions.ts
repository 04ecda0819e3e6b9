/** The acts of the catalogue in the audit log, each with its label for administrators. */
export const catalogueActions = {
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
  'consent.withdrawn': 'Noted that a consent was withdrawn',
  'consent.renewed': 'Noted that a consent was given anew',
  'items.imported': 'Imported entries',
  'items.exported': 'Exported the catalogue',
  'items.bulk_edited': 'Changed many entries',
  'items.bulk_undone': 'Undid a change of many entries',
  'category.created': 'Added a category',
  'category.renamed': 'Renamed a category',
  'category.merged': 'Merged a category into another',
  'category.removed': 'Removed a category',
  'settings.gateway_saved': "Saved the gateway's settings",
  'settings.prohibited_names_saved': 'Changed the prohibited names',
} as const

type CatalogueActions = typeof catalogueActions

declare module '../office/audit/audit-event.ts' {
  interface AuditActions extends CatalogueActions {}
}
