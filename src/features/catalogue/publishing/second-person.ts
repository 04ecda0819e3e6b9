import { rightsFields } from '../item/fields.ts'
import type { Item } from '../item/item.ts'

/* Verification of the rights by a second person (docs/spec/publishing.md#second-person): pure rules. */

/** The rights of a stored item. Once one of them changes they are attested anew. With them the ids of who attested and who verified them. */
export interface StoredRights {
  item: Pick<Item, (typeof rightsFields)[number]>
  attestedBy: string | null
  verifiedBy: string | null
}

export function areSameRights(one: StoredRights['item'], other: StoredRights['item']): boolean {
  return rightsFields.every((field) => one[field] === other[field])
}

export function hasSecondPerson({ attestedBy, verifiedBy }: Omit<StoredRights, 'item'>): boolean {
  return verifiedBy !== null && verifiedBy !== attestedBy
}

export function isVerifiedBySecond(wanted: StoredRights['item'], stored: StoredRights | null): boolean {
  return stored !== null && hasSecondPerson(stored) && areSameRights(wanted, stored.item)
}
