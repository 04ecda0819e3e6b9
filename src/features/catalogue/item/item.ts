import { z } from 'zod'
import { type Region, regionOfType } from './content-type.ts'
import { type FieldName, fieldNames, type fields, lineOf, type ValueOf } from './fields.ts'
import { linkOfFormat } from './link-slots.ts'

/** The texts an item is read from: the columns of the import format, in their order (docs/spec/catalogue.md#import-columns). */
export type ItemColumn = FieldName
export const itemColumns: readonly ItemColumn[] = fieldNames

type Readers = { [Name in FieldName]: ReturnType<(typeof fields)[Name]['kind']['reader']> }

/**
 * Reads an item from texts, as the columns of a file hold them, each by itself. Days begin and end in `timeZone`.
 *
 * An empty `region` is that of the type, western where the type has none.
 */
export function itemText(timeZone: string) {
  const readers = Object.fromEntries(fieldNames.map((name) => [name, lineOf(name).kind.reader(timeZone)])) as Readers
  return z.object(readers).transform((item): Item => ({
    ...item,
    region: item.region ?? regionOfType(item.contentType) ?? ('western' satisfies Region),
  }))
}

/** The same, and refuses fields that do not go together. */
export function wholeItemText(timeZone: string) {
  return itemText(timeZone).check(({ value, issues }) => {
    for (const { field, message } of faultsTogether(value)) {
      issues.push({ code: 'custom', path: [field], message, input: value[field] })
    }
  })
}

/** Fields that go with another: facts of a file with its link, a number with its series. */
export const followingFields = [...linkOfFormat, ['seriesNumber', 'series'] as const]

export interface FaultTogether {
  field: ItemColumn
  other: ItemColumn
  /** Goes on from the name of the field. */
  message: string
}

export function faultsTogether(item: Item): FaultTogether[] {
  const { contentType, region, validFrom, validTo } = item
  const faults: FaultTogether[] = linkOfFormat
    .filter(([field, link]) => item[field] !== null && (item[link] === null || item[link] === ''))
    .map(([field, link]) => ({
      field,
      other: link,
      message: 'is set, but its link is empty. Add the link, or clear this field.',
    }))
  const own = regionOfType(contentType)
  if (own !== undefined && region !== own) {
    faults.push({
      field: 'region',
      other: 'contentType',
      message: `is '${region}', but the content type '${contentType}' belongs to '${own}'. Leave the region empty, or change the type.`,
    })
  }
  if (validFrom !== null && validTo !== null && validFrom >= validTo)
    faults.push({ field: 'validTo', other: 'validFrom', message: 'lies before validFrom. It must be later.' })
  return faults
}

/** An item as it was written; instants in milliseconds since 1970. Its rights end at the instant `validTo`. */
export type Item = { [Name in Exclude<FieldName, 'region'>]: ValueOf<Name> } & { region: Region }

/** An item as a row of a file holds it: `itemText` reads it back as it was. */
export type Cells = Record<ItemColumn, string | boolean | null>

export function cellsOf(item: Item, timeZone: string): Cells {
  const cells: Partial<Cells> = {}
  for (const name of fieldNames) cells[name] = lineOf(name).kind.textOf(item[name], timeZone)
  return cells as Cells
}
