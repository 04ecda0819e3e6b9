import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { embedded } from '../../src/db/embedded/embedded.ts'
import { openDatabase, type OpenOptions } from '../../src/db/open.ts'
import type { OpenDatabase } from '../../src/db/open-database.ts'
import { openPooledEngine } from './engine-pool.ts'
import { databaseUrl, onServer } from './prepare-database.ts'

/**
 * A migrated, empty database of the test's own, on the engine that this run is about; closing it removes it.
 * @param through gives another address of the same PostgreSQL
 */
export async function openTestDatabase(
  options: OpenOptions = {},
  through: (url: string) => string = (url) => url,
): Promise<OpenDatabase> {
  const prepared = inject('preparedDatabase')
  if (prepared.engine === 'embedded') return embedded(await openPooledEngine(prepared.dumpFile))
  const { serverUrl, template } = prepared
  const name = `${template}_${randomUUID().slice(0, 8)}`
  await onServer(
    serverUrl,
    `create database ${name} template ${template}`,
    // Nobody here pulls the plug, and nobody is to wait for the disk at each commit.
    `alter database ${name} set synchronous_commit = off`,
  )
  const url = through(databaseUrl(serverUrl, name))
  const database = await openDatabase({ databaseUrl: url, dataDir: '' }, options)
  return {
    ...database,
    async close() {
      await database.close()
      await onServer(serverUrl, `drop database ${name} with (force)`)
    },
  }
}
