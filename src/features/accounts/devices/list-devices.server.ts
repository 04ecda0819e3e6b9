import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { deviceInWords } from '../sessions/device-in-words.server.ts'
import { digestOf } from '../sessions/tokens.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { DeviceForMember, KnownDevice } from './device-schema.ts'
import { forgetDevices, knownForMs } from './known-devices.server.ts'

/**
 * The devices that are known for the caller, the one in use first, then by last use.
 * @param secrets of the caller's browser
 */
export async function listDevices(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  viewer: Viewer,
  secrets: readonly string[],
): Promise<DeviceForMember[]> {
  const digests = secrets.map(digestOf)
  const rows = await rowsOf(app, requireMember(viewer).id)
  return rows
    .map((row) => ({ ...inWords(row), isCurrent: digests.some((digest) => digest.equals(row.secret_hash)) }))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

/** The devices of any member, by last use. */
export async function devicesOf(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  { memberId }: { memberId: string },
): Promise<KnownDevice[]> {
  return (await rowsOf(app, memberId)).map(inWords)
}

/** The same, in the file of the caller's data. */
export async function exportDevices(app: Pick<AccountsApp, 'db' | 'clock'>, viewer: Viewer): Promise<KnownDevice[]> {
  return devicesOf(app, { memberId: requireMember(viewer).id })
}

/**
 * Forgets one of the caller's devices.
 * @throws {AppError} `device.not_found`, 404, also for a device of somebody else
 */
export async function forgetDevice(
  app: Pick<AccountsApp, 'db'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<void> {
  const { numDeletedRows } = await app.db
    .deleteFrom('known_devices')
    .where('id', '=', id)
    .where('user_id', '=', requireMember(viewer).id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw deviceNotFound()
}

export const deviceNotFound = defineError({
  code: 'device.not_found',
  status: 404,
  sentence: 'This device is already forgotten.',
  remedy: 'Read the list of devices again.',
})

/** Forgets all of the caller's devices but the one with one of these secrets. */
export async function forgetOtherDevices(
  app: Pick<AccountsApp, 'db'>,
  viewer: Viewer,
  secrets: readonly string[],
): Promise<void> {
  await forgetDevices(app.db, { userId: requireMember(viewer).id, except: secrets })
}

function rowsOf({ db, clock }: Pick<AccountsApp, 'db' | 'clock'>, userId: string) {
  return db
    .selectFrom('known_devices')
    .select(['id', 'secret_hash', 'user_agent', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('last_used_at', '>', new Date(clock.now() - knownForMs))
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
}

function inWords(row: Awaited<ReturnType<typeof rowsOf>>[number]): KnownDevice {
  return {
    id: row.id,
    device: deviceInWords(row.user_agent),
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
  }
}
