import { PGlite } from '@electric-sql/pglite'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { inject } from 'vitest'
import { embedded, openDatabase, type OpenDatabase } from '../../src/db/open.ts'
import { databaseUrl, onServer } from './prepare-database.ts'

/** A migrated, empty database of the test's own, on the engine that this run is about; closing it removes it. */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const prepared = inject('preparedDatabase')
  if (prepared.engine === 'embedded') {
    const dump = new Blob([await readFile(prepared.dumpFile)])
    return embedded(await PGlite.create({ loadDataDir: dump }))
  }
  const { serverUrl, template } = prepared
  const name = `${template}_${randomUUID().slice(0, 8)}`
  await onServer(serverUrl, `create database ${name} template ${template}`)
  const database = await openDatabase({ databaseUrl: databaseUrl(serverUrl, name), dataDir: '' })
  return {
    ...database,
    async close() {
      await database.close()
      await onServer(serverUrl, `drop database ${name} with (force)`)
    },
  }
}
