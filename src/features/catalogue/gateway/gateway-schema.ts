import * as z from 'zod/mini'
import { InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

export const GatewayProvider = z.enum(['local', 'linkvertise', 'off'])

/** The data for rewriting links (GET /linkvertise-config). */
export const LinkGatewayConfig = z.object({
  /** The publisher id in force; null while Linkvertise is not the gateway. */
  activeAccount: TextOrNull,
  provider: GatewayProvider,
  /** Links on these hosts and their subdomains are rewritten. */
  domains: z.array(z.string()),
})

/** The settings of the gateway (GET and PUT /api/gateway). Version 0: those of the environment, nobody has saved any. */
export const GatewaySettings = z.object({
  provider: GatewayProvider,
  account: z.string(),
  publicKey: z.string(),
  raw: z.boolean(),
  waitSeconds: z.number(),
  version: z.number(),
})
export type GatewaySettings = z.infer<typeof GatewaySettings>

export const Passages = z.object({ today: z.number(), last7Days: z.number(), last30Days: z.number() })

/** The state of the gateway, and the downloads that were begun (GET /api/gateway/report). */
export const GatewayReport = z.object({
  state: z.object({
    inForce: GatewayProvider,
    /** Why the provider that was set is not in force, or what failed last; null without a fault. */
    fault: TextOrNull,
    faultSince: InstantOrNull,
    /** Whether links are published, and none that free visitors may follow lies on a file host. */
    isIdle: z.boolean(),
  }),
  /** Downloads that free visitors have begun, also those that pass no gateway. */
  passages: Passages,
  vipDownloads: Passages,
  /** For the last 30 days, the most first. */
  byHost: z.array(z.object({ host: z.string(), passages: z.number() })),
  byItem: z.array(z.object({ slug: z.string(), name: z.string(), path: z.string(), passages: z.number() })),
})
export type GatewayReport = z.infer<typeof GatewayReport>
