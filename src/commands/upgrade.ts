import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { waitingMigrations } from '../app/back-up-before-migration.ts'
import { openDatabase } from '../db/open.ts'
import { restoreBackup } from '../features/site/backup/restore-backup.server.ts'
import { writeBackup } from '../features/site/backup/write-backup.server.ts'
import type { GivenSettings } from '../platform/config/config.ts'
import { counted } from '../platform/counted.ts'
import { freeBytesOf } from '../platform/disk-space.ts'
import { backedUp, openToRead } from './backup.ts'
import { type Command, readArguments, UsageError } from './command.ts'
import { readCommandConfig } from './read-command-config.ts'
import { restoreTarget, tellOfForeign } from './restore.ts'

export const upgradeCommand: Command = {
  usage: `  upgrade --check
      Says which migrations the next start of this version would carry out, how long they took on a copy, and how much room
      there is. Changes nothing, also while the version before runs.
`,
  run: runUpgrade,
}

async function runUpgrade(
  args: string[],
  _withApp: unknown,
  given: GivenSettings,
  options?: { insists: boolean },
): Promise<number> {
  const { check } = readArguments(args, { check: { type: 'boolean', default: false } }, 0).values
  if (!check)
    throw new UsageError('The command upgrade needs --check: the next start of the server migrates by itself.')
  const config = await readCommandConfig(given, options)
  const { database, close } = await openToRead(config, { borrows: true })
  // A copy on the embedded engine: nothing is locked in the database itself.
  const dataDir = join(config.dataDir, 'upgrade-check')
  try {
    const waiting = await waitingMigrations(database)
    if (waiting.length === 0) {
      process.stdout.write('There is nothing to change.\n')
      return 0
    }
    await rm(dataDir, { recursive: true, force: true })
    const copy = await openDatabase({ databaseUrl: undefined, dataDir, embeddedSync: false })
    let bytes = 0
    let tookMs = 0
    async function* measured(): AsyncGenerator<Buffer> {
      for await (const frame of writeBackup(backedUp(config, database), { withFiles: false })) {
        bytes += frame.length
        yield frame
      }
    }
    try {
      await restoreBackup(restoreTarget({ ...config, dataDir }, copy), measured(), {
        isMove: true,
        onForeign: tellOfForeign,
        onMigrated: (ms) => (tookMs = ms),
      })
    } finally {
      await copy.close()
    }
    const free = await freeBytesOf(config.dataDir)
    const megabytes = (count: number): string => `${Math.ceil(count / 1_048_576).toLocaleString('en-US')} MB`
    process.stdout.write(
      `${counted(waiting.length, 'migration')}: ${waiting.join(', ')}.\nTime: ${(tookMs / 1_000).toFixed(1)} s on a copy.\nRoom: at most ${megabytes(bytes)} for the backup before; ${megabytes(free)} are free in ${config.dataDir}.\n`,
    )
    return 0
  } finally {
    await close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
