import * as z from 'zod/mini'

/** An instant as ISO text, as answers carry it: `2024-03-05T14:07:00.000Z`. Its reader says so where it is none. */
export const Instant = z.string().check(z.meta({ format: 'date-time', description: 'An instant as ISO text, in UTC.' }))
export type Instant = z.infer<typeof Instant>

export const InstantOrNull = z.nullable(Instant)
