import { randomBytes } from 'node:crypto'
import type { AccountsDatabase } from '../app.ts'
import type { Queryable } from '../../../db/queryable.ts'

const secretBytes = 32

/** Random bytes of this installation, the same on every instance, made when they are first needed. */
export async function ensureInstallationSecret(db: Queryable<AccountsDatabase>, name: string): Promise<Buffer> {
  const known = await readInstallationSecret(db, name)
  if (known !== undefined) return known
  await db
    .insertInto('installation_secrets')
    .values({ name, secret: randomBytes(secretBytes) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const made = await readInstallationSecret(db, name)
  if (made === undefined) throw new Error(`The secret ${name} of this installation is gone.`)
  return made
}

/** @returns undefined before they were first needed */
export async function readInstallationSecret(
  db: Queryable<AccountsDatabase>,
  name: string,
): Promise<Buffer | undefined> {
  const row = await db.selectFrom('installation_secrets').select('secret').where('name', '=', name).executeTakeFirst()
  return row === undefined ? undefined : Buffer.from(row.secret)
}
