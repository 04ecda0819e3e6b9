import type { Transaction } from 'kysely'
import { type GatewayConfig, isOwnAccount, strangersPublisherId } from '../catalogue-config.server.ts'
import { readRsaPublicKey } from '../../../platform/config/rsa-public-key.ts'
import { defineError } from '../../../platform/errors.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import type { GatewaySettings } from './gateway.server.ts'

/**
 * Saves the settings of the gateway: they override those of the environment, here at once and on every other instance
 * within a second (docs/spec/catalogue.md#gateway-settings).
 * @param wanted with the version that they were read at
 * @throws {AppError} `gateway.unworkable`, 422, for a gateway that cannot work; `gateway.conflict`, 409, with the settings
 *   as they are now
 */
export async function saveGatewaySettings(
  app: CatalogueApp,
  viewer: Viewer,
  wanted: GatewaySettings,
): Promise<GatewaySettings> {
  assertWorkable(wanted)
  const by = requireMember(viewer).id
  const saved = await app.db.transaction().execute(async (trx) => {
    const before = await app.gateway.readSaved(trx)
    const written = await save(trx, wanted)
    if (written !== undefined) await recordChange(trx, by, before ?? { ...app.config.gateway, version: 0 }, written)
    return written
  })
  // This process applies the settings before it answers.
  await app.listing.catchUp()
  if (saved === undefined) {
    const current = (await app.gateway.readSaved(app.db)) ?? app.gateway.settings
    throw gatewayConflict({ details: { current } })
  }
  app.log.info({ by, provider: wanted.provider, version: saved.version }, 'The settings of the gateway were saved.')
  return saved
}

/** @returns undefined where another version is saved than the one that was read */
async function save(
  db: Transaction<CatalogueDatabase>,
  { version, provider, account, publicKey, raw, waitSeconds }: GatewaySettings,
): Promise<GatewaySettings | undefined> {
  const row = {
    version: version + 1,
    provider,
    account,
    public_key: publicKey,
    raw,
    wait_seconds: waitSeconds,
  }
  const written =
    version === 0
      ? await db
          .insertInto('gateway_settings')
          .values(row)
          .onConflict((conflict) => conflict.column('only_row').doNothing())
          .returning('version')
          .executeTakeFirst()
      : await db
          .updateTable('gateway_settings')
          .set(row)
          .where('version', '=', version)
          .returning('version')
          .executeTakeFirst()
  return written && { version: written.version, provider, account, publicKey, raw, waitSeconds }
}

async function recordChange(
  trx: Transaction<CatalogueDatabase>,
  memberId: string,
  old: GatewaySettings,
  saved: GatewaySettings,
): Promise<void> {
  const fields = ['provider', 'account', 'publicKey', 'raw', 'waitSeconds'] as const
  const changed = fields.filter((field) => old[field] !== saved[field])
  await recordAuditEvent(trx, {
    action: 'settings.gateway_saved',
    by: { memberId },
    subject: { kind: 'setting', id: 'gateway' },
    details: {
      before: Object.fromEntries(changed.map((field) => [field, old[field]])),
      after: Object.fromEntries(changed.map((field) => [field, saved[field]])),
    },
  })
}

function assertWorkable({ provider, account, publicKey }: GatewayConfig): void {
  if (publicKey !== '' && readRsaPublicKey(publicKey) === undefined) {
    throw unworkable('This is no 2048-bit RSA key. Paste its SPKI as PEM, or the base64 of that.', {
      field: 'publicKey',
    })
  }
  if (provider !== 'linkvertise') return
  if (account === '') throw unworkable('Linkvertise needs your own publisher id.', { field: 'account' })
  if (!isOwnAccount(account)) {
    throw unworkable(`${strangersPublisherId} belongs to a stranger. Give your own publisher id.`, { field: 'account' })
  }
  if (publicKey === '')
    throw unworkable('Linkvertise needs its public key, to encrypt the links.', { field: 'publicKey' })
}

export const unworkable = defineError({
  code: 'gateway.unworkable',
  status: 422,
  remedy: 'Correct the field that the answer names, or choose another provider.',
})

export const gatewayConflict = defineError({
  code: 'gateway.conflict',
  status: 409,
  sentence: 'Somebody else has saved these settings meanwhile. Compare them, and save again.',
  members: { current: 'the settings as they are now.' },
  remedy: 'Compare with the settings under `current`, and save with their version.',
})
