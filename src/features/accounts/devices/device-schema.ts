import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'

/** A browser that is known for an account: nothing in it opens anything. */
export const KnownDevice = z.object({
  id: z.string(),
  /** 'Firefox on Linux' */
  device: z.string(),
  createdAt: Instant,
  /** When somebody last signed in there. */
  lastUsedAt: Instant,
})
export type KnownDevice = z.infer<typeof KnownDevice>

export const DeviceForMember = z.object({
  ...KnownDevice.shape,
  /** The one that this request came from. */
  isCurrent: z.boolean(),
})
export type DeviceForMember = z.infer<typeof DeviceForMember>

/** The caller's known devices, the one in use first (GET /auth/devices). */
export const DevicesForMember = z.object({ devices: z.array(DeviceForMember) })
export type DevicesForMember = z.infer<typeof DevicesForMember>
