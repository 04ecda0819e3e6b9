import * as z from 'zod/mini'

/** The state of a checkout (GET /pay/session/:id). */
export const CheckoutForMember = z.object({ state: z.enum(['confirming', 'active', 'failed']) })
export type CheckoutForMember = z.infer<typeof CheckoutForMember>
