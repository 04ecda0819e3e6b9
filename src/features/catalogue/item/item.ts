import { z } from 'zod'
import { type Region, regionOfType } from './content-type.ts'
import { type FieldName, fieldNames, type fields, lineOf, type ValueOf } from './fields.ts'
import { linkOfFormat } from './link-slots.ts'

/** The texts an item is read from: the columns of the import format, in their order (docs/spec/catalogue.md#import-columns). */
export type ItemColumn = FieldName
export const itemColumns: readonly ItemColumn[] = fieldNames

type Readers = { [Name in FieldName]: ReturnType<(typeof fields)[Name]['kind']['reader']> }

/**
 * Reads an item from texts, as the columns of a file hold them. Days begin and end in `timeZone`.
 *
 * An empty `region` is that of the type, western where the type has none.
 */
export function itemText(timeZone: string) {
  const readers = Object.fromEntries(fieldNames.map((name) => [name, lineOf(name).kind.reader(timeZone)])) as Readers
  return z
    .object(readers)
    .check(({ value, issues }) => {
      const own = regionOfType(value.contentType)
      if (own !== undefined && value.region !== null && value.region !== own) {
        issues.push({
          code: 'custom',
          path: ['region'],
          message: `is '${value.region}', but the content type '${value.contentType}' belongs to '${own}'. Leave the region empty, or change the type.`,
          input: value.region,
        })
      }
      for (const [field, link] of linkOfFormat) {
        if (value[field] === null || (value[link] !== null && value[link] !== '')) continue
        issues.push({
          code: 'custom',
          path: [field],
          message: `is set, but ${link} is empty. Add the link, or clear this field.`,
          input: value[field],
        })
      }
      if (value.validFrom !== null && value.validTo !== null && value.validFrom >= value.validTo) {
        issues.push({
          code: 'custom',
          path: ['validTo'],
          message: 'lies before validFrom. It must be later.',
          input: value.validTo,
        })
      }
    })
    .transform(({ ...item }): Item => ({
      ...item,
      region: item.region ?? regionOfType(item.contentType) ?? ('western' satisfies Region),
    }))
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
