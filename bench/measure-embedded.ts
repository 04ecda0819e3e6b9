import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../src/db/open.ts'
import type { Finding } from './findings.ts'
import { middle, ms, perSecond } from './findings.ts'
import { emptyPostgres, generateItems, prepareEmbedded } from './generate-catalogue.ts'
import { clientKey, load, median, request } from './load.ts'
import { cpuMs, makeImages, residentMegabytes, runCommand, startDaybook } from './processes.ts'
import { pathOf } from './questions.ts'

/** P9: the embedded database with 100,000 items. */
export async function measureEmbedded(importRows: number): Promise<Finding[]> {
  const { dataDir, drop } = await prepareEmbedded()
  try {
    const reopenings: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const startedAt = performance.now()
      const { db, close } = await openDatabase({ databaseUrl: undefined, dataDir })
      await db.selectFrom('catalogue_state').select('version').executeTakeFirstOrThrow()
      reopenings.push(performance.now() - startedAt)
      await close()
    }
    await makeImages({ DATA_DIR: dataDir }, 1)
    const server = await startDaybook({ DATA_DIR: dataDir, ANSWER_CACHE_MB: '0' })
    try {
      // Each page once: nothing of it is in memory yet.
      const pages = Array.from({ length: 200 }, (_, i) =>
        request(pathOf({ tier: 'free', page: String(i + 5) }), clientKey),
      )
      const { p50 } = middle([await load(server.port, pages, { count: pages.length, connections: 1 })])
      const megabytes = residentMegabytes(server.pid)
      const { rate, peak } = await measureImporting(importRows)
      return [
        {
          id: 'P9',
          what: 'Embedded database: page of 300 that nobody has asked for; start to first listing; memory',
          goal: 'at most 1.2 ms; at most 1 s; at most 350 MB',
          measured: `${ms(p50)}; ${(server.startMs / 1000).toFixed(2)} s (of which opening the database ${(median(reopenings) / 1000).toFixed(2)} s); ${megabytes.toFixed(0)} MB`,
          isMet: p50 <= 1.2 && server.startMs <= 1_000 && megabytes <= 350,
        },
        {
          id: 'P9',
          what: `Import into the embedded database, ${importRows.toLocaleString('en-US')} rows, published`,
          goal: 'at least 12,000 rows/s, all checks',
          measured: perSecond(rate).replace('/s', ' rows/s'),
          isMet: rate >= 12_000,
        },
        memoryOf('the embedded database', importRows, peak),
      ]
    } finally {
      await server.stop()
    }
  } finally {
    await drop()
  }
}

/** P23: what a site takes that nobody asks. */
export async function measureRest(seconds: number): Promise<Finding[]> {
  const { dataDir, drop } = await prepareEmbedded('10k')
  try {
    await makeImages({ DATA_DIR: dataDir }, 1)
    const server = await startDaybook({ DATA_DIR: dataDir })
    try {
      // The start has nothing left to do by then.
      await sleep(60_000)
      const before = cpuMs(server.pid)
      await sleep(seconds * 1_000)
      const share = (cpuMs(server.pid) - before) / (seconds * 1_000)
      const megabytes = residentMegabytes(server.pid)
      return [
        {
          id: 'P23',
          what: `At rest: embedded database, 10,000 items, nobody asks, ${seconds / 60} minutes`,
          goal: 'at most 0.5 % of a processor; at most 250 MB',
          measured: `${(share * 100).toFixed(2)} %; ${megabytes.toFixed(0)} MB`,
          isMet: share <= 0.005 && megabytes <= 250,
        },
      ]
    } finally {
      await server.stop()
    }
  } finally {
    await drop()
  }
}

/** P10: the same import into PostgreSQL. */
export async function measureImport(rows: number): Promise<Finding[]> {
  const { address, drop } = await emptyPostgres()
  try {
    const { rate, peak } = await measureImporting(rows, { DATABASE_URL: address })
    return [
      {
        id: 'P10',
        what: `Import into PostgreSQL, ${rows.toLocaleString('en-US')} rows, published`,
        goal: 'at least 15,000 rows/s',
        measured: perSecond(rate).replace('/s', ' rows/s'),
        isMet: rate >= 15_000,
      },
      memoryOf('PostgreSQL, without its own', rows, peak),
    ]
  } finally {
    await drop()
  }
}

/** P25, which each of the two imports decides. */
function memoryOf(where: string, rows: number, peak: number): Finding {
  return {
    id: 'P25',
    what: `Memory of an import into ${where}, ${rows.toLocaleString('en-US')} rows`,
    goal: 'at most 400 MB',
    measured: `${Math.round(peak / 1e6)} MB at most`,
    isMet: peak <= 400e6,
  }
}

/**
 * The operator's own import command.
 * @returns rows a second, without the time that an empty import takes; and the most memory that it held, in bytes
 */
async function measureImporting(
  rows: number,
  env: Record<string, string> = {},
): Promise<{ rate: number; peak: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-bench-import-'))
  try {
    const head =
      'name,slug,category,contentType,region,postDate,link,linkG,rating,rightsBasis,evidence,permitsDownload,permitsPaidAccess,people,externalId\n'
    const write = async (file: string, count: number): Promise<void> => {
      const csv = createWriteStream(file)
      csv.write(head)
      for (const item of generateItems(count)) {
        const { name, slug, category, contentType, region } = item
        const line = `"${name}",${slug},${category},${contentType},${region},${new Date(item.postedAt * 1000).toISOString()},https://mega.nz/file/${slug},https://gofile.io/d/${slug},general,public_domain,https://example.org/${slug},true,true,none,${item.id}\n`
        if (!csv.write(line)) await once(csv, 'drain')
      }
      csv.end()
      await once(csv, 'close')
    }
    await write(join(folder, 'one.csv'), 1)
    await write(join(folder, 'all.csv'), rows)
    const importFile = (file: string) =>
      runCommand(
        ['import', join(folder, file), '--publish', '--create-categories'],
        { DATA_DIR: join(folder, 'data'), ...env },
        // 3: some rows stayed drafts, because their names hold a term that is not allowed or their category changed.
        [0, 3],
      )
    // The first makes the database.
    await importFile('one.csv')
    const alone = await importFile('one.csv')
    const all = await importFile('all.csv')
    return { rate: rows / ((all.ms - alone.ms) / 1000), peak: all.peak }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
