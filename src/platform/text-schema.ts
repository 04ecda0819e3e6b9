import * as z from 'zod/mini'

/** A text, or none. One schema, which the document of the interface names. */
export const TextOrNull = z.nullable(z.string()).register(z.globalRegistry, { id: 'TextOrNull' })
