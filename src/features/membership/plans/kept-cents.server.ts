import { sql } from 'kysely'

/** The amount that the site keeps of a payment, in SQL: nothing where the dispute was lost, else the part that was not refunded. */
export const keptCents = sql<number>`(case when dispute = 'lost' then 0 else amount_cents - refunded_cents end)`
