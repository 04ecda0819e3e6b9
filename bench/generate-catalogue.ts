import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { openDatabase } from '../src/db/open.ts'
import { migrate } from '../src/db/migrate.ts'
import type { ContentType, Region } from '../src/features/catalogue/item/content-type.ts'
import { fingerprintEdition, fingerprintsOf } from '../src/features/catalogue/item/link-fingerprints.server.ts'
import { searchedText } from '../src/features/catalogue/item/searched-text.ts'
import { type Facts, FactSource } from './facts.ts'
import { dataDirOf } from './processes.ts'
import { Random } from './random.ts'
import { makeVocabulary, type Vocabulary } from './words.ts'

/** How many items each size of catalogue has. */
export const sizes = { '10k': 10_000, '100k': 100_000, '1m': 1_000_000, '10m': 10_000_000 } as const
export type Size = keyof typeof sizes

/** The span of post dates. It ends in the future, so that "today" has entries and some items are scheduled. */
const firstDay = Date.UTC(2003, 0, 1)
const lastDay = Date.UTC(2028, 0, 1)
const dayMs = 86_400_000

interface GeneratedItem extends Facts {
  id: string
  name: string
  slug: string
  category: string
  contentType: ContentType
  region: Region
  /** Seconds since 1970. */
  postedAt: number
  createdAt: number
}

const typeShares: Record<ContentType, number> = {
  asian: 38,
  western: 34,
  banned: 5,
  unknown: 5,
  vip: 4,
  'vip-asian': 5,
  'vip-western': 5,
  'vip-banned': 2,
  'vip-unknown': 2,
}
const scriptShares: Record<keyof Vocabulary, number> = {
  latin: 55,
  accented: 14,
  cyrillic: 8,
  chinese: 10,
  japanese: 8,
  korean: 5,
}
const ordinaryCategories = ['Literature', 'Film', 'Music', 'Art', 'TikTok', 'Instagram']

/** The items of a catalogue of this many, always the same ones, in the order in which they would have been entered. */
export function* generateItems(count: number): Generator<GeneratedItem> {
  const random = new Random(20_031)
  const vocabulary = makeVocabulary(random)
  const facts = new FactSource(vocabulary)
  for (let i = 0; i < count; i += 1) {
    const contentType = random.pickByShare(typeShares)
    // Most entries are added as time goes by, some long after their date.
    const day =
      random.unit() < 0.85
        ? Math.floor((i / count) * ((lastDay - firstDay) / dayMs))
        : random.integer((lastDay - firstDay) / dayMs)
    // A date without a time, as imports bring it, makes many equal post dates.
    const timeOfDay = random.unit() < 0.7 ? 0 : random.integer(86_400)
    const postedAt = (firstDay + day * dayMs) / 1000 + timeOfDay
    // Entered together: the number is all that tells some apart.
    const createdAt = 1_700_000_000 + Math.floor(i / 40)
    const id = `018bcfe5-${(i >>> 16).toString(16).padStart(4, '0')}-7${(i & 0xfff).toString(16).padStart(3, '0')}-8${random.hex(3)}-${random.hex(12)}`
    const { name, script } = makeName(random, vocabulary, i)
    yield {
      id,
      name,
      slug: `bench-${random.hex(4)}-${i}`,
      category: categoryOf(random, contentType),
      contentType,
      region: regionOf(random, contentType),
      postedAt,
      createdAt,
      ...facts.next(script),
    }
  }
}

function makeName(random: Random, vocabulary: Vocabulary, i: number): { name: string; script: keyof Vocabulary } {
  const script = random.pickByShare(scriptShares)
  const length = 2 + random.integer(4)
  const words = Array.from({ length }, () => random.pickByRank(vocabulary[script]))
  let name =
    script === 'chinese' || script === 'japanese' ? words.slice(0, 1 + random.integer(3)).join('') : words.join(' ')
  if (random.unit() < 0.2) name += ` ${1 + random.integer(40)}`
  // A word of its own: a catalogue number.
  if (random.unit() < 0.1) name += ` №${i}`
  return { name: name.charAt(0).toUpperCase() + name.slice(1), script }
}

function categoryOf(random: Random, contentType: ContentType): string {
  switch (contentType) {
    case 'banned':
      return 'Banned'
    case 'unknown':
      return 'Unknown'
    case 'vip-banned':
      return 'VIP Banned'
    case 'vip-unknown':
      return 'VIP Unknown'
    case 'vip':
    case 'vip-asian':
    case 'vip-western':
      return 'VIP Content'
    case 'asian':
    case 'western':
      if (random.unit() < 0.4) return contentType === 'asian' ? 'Asian' : 'Western'
      // An asian item of these categories is read on the category's page.
      if (contentType === 'asian' && random.unit() < 0.04) return random.pick(['Banned', 'Unknown'])
      return random.pickByRank(ordinaryCategories)
  }
}

function regionOf(random: Random, contentType: ContentType): Region {
  if (contentType.endsWith('asian')) return 'asian'
  if (contentType.endsWith('western')) return 'western'
  return random.unit() < 0.5 ? 'asian' : 'western'
}

/** Adds published items; takes what `columnsOf` gives. */
export const insertItems = `
  with inserted as (
    insert into items (status, id, name, searched, slug, category_id, content_type, region, post_date,
                       post_month, created_at, updated_at, link, link_g, people, rights_basis, rights_evidence,
                       permits_download, permits_paid_access, rights_attested_by, rights_attested_at, cleared_version,
                       creators, language, year, series, series_number, tags, link_format, link_fingerprints, fingerprint_edition)
    select 'published', given.id, given.name, searched, slug, c.id, content_type, region, to_timestamp(posted_at),
           extract(month from to_timestamp(posted_at) at time zone 'UTC'), to_timestamp(given.created_at),
           to_timestamp(given.created_at), given.link, link_g, 'none',
           'public_domain', 'https://example.org/evidence/' || slug, true, true, 'bench', to_timestamp(given.created_at), 1,
           string_to_array(nullif(creators, ''), ';'), string_to_array(nullif(language, ''), ';'), year, series, series_number,
           string_to_array(nullif(tags, ''), ';'), link_format, fingerprints::bigint[], ${fingerprintEdition}
      from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[],
                  $9::float8[], $10::text[], $11::text[], $12::text[], $13::text[], $14::float8[], $15::text[], $16::text[],
                  $17::text[], $18::text[], $19::text[])
             as given (id, name, searched, slug, category, content_type, region, posted_at, created_at,
                       creators, language, year, series, series_number, tags, link_format, link, link_g, fingerprints)
           join categories c on c.name = given.category
    returning id, version, fingerprint)
  insert into clearances (item_id, version, fingerprint, checks, cleared_by)
  select id, version, fingerprint, '["bench"]', 'bench' from inserted`

/** Runs a statement over the one connection that fills a database. */
type Run = <Row>(text: string, values?: unknown[]) => Promise<Row[]>

/** Puts a generated catalogue into an empty database, through the publishing gate. */
async function fill(run: Run, count: number): Promise<void> {
  // Building an index of a million rows takes longer than a job may.
  await run(`set statement_timeout = 0`)
  await run(`set synchronous_commit = off`)
  await run(`set maintenance_work_mem = '512MB'`)
  // Filling an index row by row takes several times as long as building it at the end.
  const indexes = await run<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where tablename = 'items' and schemaname = current_schema()
        and indexname not in (select conname from pg_constraint)`,
  )
  for (const { indexname } of indexes) await run(`drop index ${indexname}`)
  let batch: GeneratedItem[] = []
  for (const item of generateItems(count)) {
    batch.push(item)
    if (batch.length === 5_000) {
      await run(insertItems, columnsOf(batch))
      batch = []
    }
  }
  if (batch.length > 0) await run(insertItems, columnsOf(batch))
  for (const { indexdef } of indexes) await run(indexdef)
  // The last change says which history of the database an image is of.
  await run(`delete from catalogue_changes where version < (select version from catalogue_state)`)
  await run(`vacuum analyze`)
}

export function columnsOf(batch: GeneratedItem[]): unknown[][] {
  const links = batch.map(({ slug }) => ({
    link: `https://mega.nz/file/${slug}`,
    linkG: `https://gofile.io/d/${slug}`,
  }))
  const joined = (of: (item: GeneratedItem) => readonly string[]) => batch.map((item) => of(item).join(';'))
  return [
    batch.map((item) => item.id),
    batch.map((item) => item.name),
    batch.map((item) => searchedText(item)),
    batch.map((item) => item.slug),
    batch.map((item) => item.category),
    batch.map((item) => item.contentType),
    batch.map((item) => item.region),
    batch.map((item) => item.postedAt),
    batch.map((item) => item.createdAt),
    joined((item) => item.creators),
    joined((item) => item.language),
    batch.map((item) => item.year),
    batch.map((item) => item.series),
    batch.map((item) => item.seriesNumber),
    joined((item) => item.tags),
    batch.map((item) => item.linkFormat),
    links.map(({ link }) => link),
    links.map(({ linkG }) => linkG),
    // Else a job would write each of them again, in the middle of a measurement.
    links.map(({ link, linkG }) => `{${[...fingerprintsOf(link), ...fingerprintsOf(linkG)].join(',')}}`),
  ]
}

const serverAddress = process.env['BENCH_DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432'

/** Changes whenever a catalogue made earlier is no longer the one that would be made now. */
async function recipe(): Promise<string> {
  const migrations = join(import.meta.dirname, '../src/db/migrations')
  const digest = createHash('sha256').update(insertItems)
  const files = (await readdir(migrations, { recursive: true })).filter((name) => name.endsWith('.ts'))
  for (const file of files.sort()) digest.update(await readFile(join(migrations, file)))
  // A digest of the generated rows, whatever the code of the generator looks like.
  digest.update(JSON.stringify(columnsOf([...generateItems(2_000)])))
  return digest.digest('hex').slice(0, 16)
}

async function administer<T>(
  work: (client: pg.Client) => Promise<T>,
  connectionString = `${serverAddress}/postgres`,
): Promise<T> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The PostgreSQL database of this size; made when it is not there yet, kept for the next run. @returns its address */
export async function preparePostgres(size: Size): Promise<string> {
  const name = `daybook_bench_${size}`
  const address = `${serverAddress}/${name}`
  const wanted = await recipe()
  const isReady = await administer(async (client) => {
    const { rows } = await client.query(
      `select shobj_description(oid, 'pg_database') as recipe from pg_database where datname = $1`,
      [name],
    )
    if (rows[0]?.recipe === wanted) return true
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name}`)
    return false
  })
  if (isReady) return address
  console.log(`Making the catalogue of ${size} in PostgreSQL …`)
  const { maintenanceDb, close } = await openDatabase({ databaseUrl: address, dataDir: '' })
  await migrate(maintenanceDb)
  await close()
  // By the driver alone: an index of many items takes minutes, and Daybook gives up a database that is so busy.
  await administer(async (client) => {
    await fill(
      async <Row>(text: string, values?: unknown[]) => (await client.query(text, values)).rows as Row[],
      sizes[size],
    )
  }, address)
  await administer((client) => client.query(`comment on database ${name} is '${wanted}'`))
  return address
}

/** A database without anything in it. @returns its address and how to drop it */
export async function emptyPostgres(): Promise<{ address: string; drop: () => Promise<void> }> {
  const name = `daybook_bench_empty_${process.pid}`
  await administer((client) => client.query(`create database ${name}`))
  return {
    address: `${serverAddress}/${name}`,
    drop: async () => void (await administer((client) => client.query(`drop database ${name} with (force)`))),
  }
}

/** A copy of a prepared database, to write to. @returns its address and how to drop it */
export async function copyPostgres(size: Size): Promise<{ address: string; drop: () => Promise<void> }> {
  const name = `daybook_bench_${size}_copy_${process.pid}`
  const address = `${serverAddress}/${name}`
  // The database's own maintenance may be at work in the template for a moment.
  for (let attempt = 1; ; attempt += 1) {
    try {
      await administer((client) => client.query(`create database ${name} template daybook_bench_${size}`))
      break
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt === 20) throw error
      await sleep(1_000)
    }
  }
  return {
    address,
    async drop() {
      await administer((client) => client.query(`drop database ${name} with (force)`))
      await rm(dataDirOf({ DATABASE_URL: address }), { recursive: true, force: true })
    },
  }
}

/** A data directory with an embedded database of a catalogue, a copy to write to. */
export async function prepareEmbedded(size: Size = '100k'): Promise<{ dataDir: string; drop: () => Promise<void> }> {
  const kept = join(tmpdir(), `daybook-bench-embedded-${size}-${await recipe()}`)
  if (!existsSync(kept)) {
    console.log(`Making the catalogue of ${size} in the embedded database …`)
    const unfinished = `${kept}.${process.pid}`
    const { db, close } = await openDatabase({ databaseUrl: undefined, dataDir: unfinished })
    await migrate(db)
    await db
      .connection()
      .execute((connection) =>
        fill(
          async <Row>(text: string, values: unknown[] = []) =>
            (await connection.executeQuery<Row>(CompiledQuery.raw(text, values))).rows,
          sizes[size],
        ),
      )
    await close()
    await rename(unfinished, kept)
  }
  const dataDir = join(tmpdir(), `daybook-bench-embedded-copy-${process.pid}`)
  await cp(kept, dataDir, { recursive: true })
  return { dataDir, drop: () => rm(dataDir, { recursive: true, force: true }) }
}
