import { defineError } from '../../../platform/errors.ts'

export const itemNotFound = defineError({
  code: 'item.not_found',
  status: 404,
  sentence: 'There is no such item, or it was deleted.',
  remedy: 'Take the slug from the list. An item of the other region, or one for VIPs, is not found here.',
})

export const consentNotFound = defineError({
  code: 'item.consent_not_found',
  status: 404,
  sentence: 'The item has no such consent.',
  remedy: 'Take the id from the item as administrators see it.',
})
