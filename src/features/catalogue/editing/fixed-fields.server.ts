import { isDeepStrictEqual } from 'node:util'
import type { ItemForAdmin, Reason } from './content-schema.ts'
import { type ChangedItemBody, type ReadOnlyField, readOnlyFields } from './item-body.ts'

/** A reason for each read-only field of an edit that is not as the item has it (docs/spec/catalogue.md#read-only). */
export function readOnlyFaults(body: Omit<ChangedItemBody, 'version'>, item: ItemForAdmin): Reason[] {
  const stored = JSON.parse(JSON.stringify(item)) as Record<ReadOnlyField, unknown>
  const isAsRead = (field: ReadOnlyField): boolean =>
    [stored[field], ...(field === 'reasons' ? reasonsInLists(item) : [])].some((form) =>
      isDeepStrictEqual(form, body[field]),
    )
  const fields = readOnlyFields.filter((field) => body[field] !== undefined && !isAsRead(field))
  const ofConsents = (body.consents ?? []).flatMap(({ id, withdrawnAt }, place) => {
    const before = item.consents.find((consent) => consent.id === id)?.withdrawnAt ?? null
    return withdrawnAt === undefined || withdrawnAt === before ? [] : [`consents.${place}.withdrawnAt`]
  })
  return [...fields, ...ofConsents].map((field) => ({
    code: 'field.readonly',
    field,
    sentence: `${field} cannot be changed by an edit.`,
    remedy: 'Leave it out, or send it as it was read.',
  }))
}

/** A list has sentences, and none of what is published. */
function reasonsInLists({ reasons, status }: ItemForAdmin): string[][] {
  return [reasons.map(({ sentence }) => sentence), ...(status === 'published' ? [[]] : [])]
}
