import * as z from 'zod/mini'

/** The answer to a call that has done something: one sentence for people. */
export const MessageAnswer = z.object({ message: z.string() })
export type MessageAnswer = z.infer<typeof MessageAnswer>
