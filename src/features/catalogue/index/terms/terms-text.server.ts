import { type RawBuilder, sql } from 'kysely'
import { lineOf } from '../../item/fields.ts'
import { linkSlots } from '../../item/link-slots.ts'
import { betweenKinds, betweenValues } from '../../item/terms.ts'

const [kinds, values] = [sql.lit(betweenKinds), sql.lit(betweenValues)]
const formats = linkSlots.flatMap((slot) => lineOf(`${slot}Format`).column ?? []).map((column) => sql.ref(column))

/** The values by which a row of `items` is found whole, in the order of `termKinds`: `termsIn` reads them. */
export const termsText: RawBuilder<string> = sql<string>`concat_ws(${kinds},
  coalesce(array_to_string(language, ${values}), ''), concat_ws(${values}, ${sql.join(formats)}), coalesce(year, ''),
  coalesce(array_to_string(creators, ${values}), ''), coalesce(series, ''), coalesce(array_to_string(tags, ${values}), ''))`
