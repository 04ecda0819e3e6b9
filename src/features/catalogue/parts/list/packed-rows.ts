import type { ContentType } from '../../item/content-type.ts'
import type { ItemRow } from '../../item/listing.ts'

/*
 * The rows of a page, as the page carries them for the browser: one text instead of hundreds of objects. Writing,
 * sending and reading them is work on the way to the first interaction.
 */

const betweenFields = '\u001f'
const betweenRows = '\u001e'

export function packRows(rows: readonly ItemRow[]): string {
  // Neither separator occurs in a name: control characters are refused before.
  return rows
    .map(({ name, slug, category, contentType, day }) => [name, slug, category, contentType, day].join(betweenFields))
    .join(betweenRows)
}

export function unpackRows(packed: string): ItemRow[] {
  if (packed === '') return []
  return packed.split(betweenRows).map((line) => {
    const [name = '', slug = '', category = '', contentType = '', day = ''] = line.split(betweenFields)
    return { name, slug, category, contentType: contentType as ContentType, day }
  })
}
