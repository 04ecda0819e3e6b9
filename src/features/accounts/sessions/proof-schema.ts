import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'

/** The last proof of the caller in this session (POST /auth/proof). */
export const ProofForMember = z.object({
  provedAt: Instant,
  /** How long ago that was by the server's clock, in whole seconds. */
  ageSeconds: z.int(),
})
export type ProofForMember = z.infer<typeof ProofForMember>
