import { sql } from 'kysely'
import { stat } from 'node:fs/promises'
import { DirectoryLockedError } from '../db/embedded/directory-lock.ts'
import { databaseInWords, OtherDatabaseError, refuseOtherDatabase } from '../db/last-database.ts'
import { doneMigrations } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { isNewDatabase, openDatabase } from '../db/open.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { findTooManyRights, roleOf } from '../db/postgres/grant-rights.ts'
import { DatabaseUnreachableError } from '../db/postgres/start.ts'
import { countAdministrators } from '../features/accounts/administrators/count-administrators.server.ts'
import { listAdministrators } from '../features/accounts/administrators/list-administrators.server.ts'
import { verifyAuditLog } from '../features/office/audit/verify-audit-log.server.ts'
import { openEvidenceStore } from '../features/catalogue/evidence/evidence-store.server.ts'
import { countPublished } from '../features/catalogue/publishing/count-published.server.ts'
import { Payments } from '../features/membership/stripe/payments.server.ts'
import { allInvariants, brokenInWords, checkInvariant } from '../features/site/invariants/check-invariant.server.ts'
import { countFailedJobs } from '../features/site/home/count-failed-jobs.server.ts'
import { examineConfig } from '../app/examine-config.ts'
import { type Config, settingVariables } from '../app/config.ts'
import { ConfigError } from '../platform/config/config.ts'
import { unknownSettingInWords, unknownSettings } from '../platform/config/unknown-settings.ts'
import { counted } from '../platform/counted.ts'
import { CommandOutages } from '../platform/database-outages.ts'
import { freeBytesOf, littleBytes, refuseFullDisk } from '../platform/disk-space.ts'
import { tryMailServer } from '../platform/email/mail.ts'
import { isAppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { isOpenToOthers } from '../platform/private-folder.ts'
import { openRateLimits } from '../platform/rate-limit/rate-limits.ts'
import { systemClock } from '../platform/time/clock.ts'
import { findInJournal } from './examine-journal.ts'

/** A finding of the doctor. */
export interface Finding {
  about: string
  state: 'good' | 'warning' | 'problem'
  sentence: string
  /** The advice to the operator. */
  advice?: string
}

/** The doctor's access to the world outside of this process. */
export interface Outside {
  log: Log
  fetch: typeof fetch
  now: () => number
  /** Whether the database is looked at also where the server last used another one. */
  insists: boolean
}

const good = (about: string, sentence: string): Finding => ({ about, state: 'good', sentence })
const warning = (about: string, sentence: string, advice?: string): Finding => ({
  about,
  state: 'warning',
  sentence,
  ...(advice === undefined ? {} : { advice }),
})
const problem = (about: string, sentence: string, advice: string): Finding => ({
  about,
  state: 'problem',
  sentence,
  advice,
})

const megabyte = 1024 * 1024
/** Nobody waits longer for another site. */
const outsideMs = 8_000
/** Clocks that differ by more are told of, and by so much more are wrong: sessions and signatures end by them. */
const clockWarningMs = 5_000
const clockProblemMs = 60_000

/** Looks at one thing after the other, and changes none of them (docs/spec/operations.md#doctor). */
export async function* examine(
  env: NodeJS.ProcessEnv,
  { log, fetch: ask = fetch, now = Date.now, insists = false }: Pick<Outside, 'log'> & Partial<Outside>,
): AsyncGenerator<Finding> {
  const { config, findings } = await readSettings(env)
  yield* findings
  if (config === undefined) {
    yield warning('Everything else', 'is looked at when the settings are right.')
    return
  }
  yield modeOf(config)
  yield* await findInDataDir(config)
  yield* findInDatabase(config, { now, insists })
  yield* await findInMail(config)
  yield await tried('Payments', findInPayments(config, log))
  yield* await findInProxies(config, ask)
  yield* await findInFurther(config, log)
}

/** A look that fails in a way that nobody has thought of is a finding as well. */
async function tried(about: string, look: Promise<Finding>): Promise<Finding> {
  return look.catch((error: unknown) =>
    problem(about, sentenceOf(error), 'Look at the settings that the sentence names.'),
  )
}

function sentenceOf(error: unknown): string {
  const { message, cause } = error as Error
  const behind = cause instanceof Error && !message.includes(cause.message) ? ` ${cause.message}` : ''
  return `${message}${behind}`.replace(/[.\s]*$/, '.')
}

async function readSettings(env: NodeJS.ProcessEnv): Promise<{ config?: Config; findings: Finding[] }> {
  const about = 'Settings'
  const unknown = unknownSettings(env, settingVariables).map((each) =>
    warning(about, unknownSettingInWords(each), 'Correct its name, or take it out of the environment.'),
  )
  const { config, faults } = await examineConfig(env)
  const wrong = faults.map(({ message, variable }) =>
    problem(about, message, `Set ${variable}; docs/operating.md has a table of all settings.`),
  )
  if (wrong.length > 0) return { findings: [...wrong, ...unknown] }
  return { config, findings: [good(about, 'they can be read, and make sense.'), ...unknown] }
}

function modeOf({ isPublic, demo, hosts, publicUrl }: Config): Finding {
  const where = `it listens on ${hosts.join(' and ')}, and its address is ${publicUrl}`
  if (!isPublic) return good('Mode', `a trial on this machine: ${where}.`)
  if (demo) {
    return warning(
      'Mode',
      `public, with the demo catalogue: ${where}.`,
      'Unset DEMO where the entries are to be your own.',
    )
  }
  return good('Mode', `public: ${where}.`)
}

async function findInDataDir(config: Config): Promise<Finding[]> {
  const about = 'Data directory'
  const { dataDir } = config
  try {
    await refuseFullDisk({ databaseUrl: undefined, dataDir }, isNewDatabase(config))
  } catch (error) {
    const isKnown = error instanceof ConfigError || isAppError(error)
    const advice = isAppError(error)
      ? 'Make room on its disk.'
      : 'Name a directory that this user may write to in DATA_DIR.'
    return [problem(about, isKnown ? error.message : sentenceOf(error), advice)]
  }
  const found: Finding[] = []
  const free = await freeBytesOf(dataDir)
  const room = `${Math.floor(free / megabyte).toLocaleString('en-US')} MB are free in ${dataDir}`
  if (free < littleBytes)
    found.push(warning(about, `only ${room}.`, 'Make room before it is full: nothing is written below 64 MB.'))
  const isThere = await stat(dataDir).then(
    () => true,
    () => false,
  )
  if (isThere && (await isOpenToOthers(dataDir))) {
    found.push(
      warning(
        about,
        'other users of this machine may read it.',
        `A start closes it where it can. Otherwise: chmod 700 ${dataDir}`,
      ),
    )
  }
  return found.length === 0 ? [good(about, `${room}, and only its owner may read it.`)] : found
}

async function* findInDatabase(
  config: Config,
  { now, insists }: Pick<Outside, 'now' | 'insists'>,
): AsyncGenerator<Finding> {
  const about = 'Database'
  let database: OpenDatabase
  try {
    if (!insists) await refuseOtherDatabase(config)
    if (isNewDatabase(config)) {
      yield good(about, 'there is none in the data directory yet: the first start makes it.')
      yield findInAdministrators(config)
      return
    }
    database = await openDatabase(config, { reports: new CommandOutages(), bufferMegabytes: 32 })
    process.stderr.write(`Opened: ${databaseInWords(config)}.\n`)
  } catch (error) {
    if (error instanceof OtherDatabaseError) {
      yield problem(about, error.sentence, error.advice)
    } else if (error instanceof DirectoryLockedError) {
      yield warning(
        about,
        'the server is running and holds it.',
        'Stop the server, and run this again, to have it looked at.',
      )
    } else if (error instanceof DatabaseUnreachableError) {
      yield problem(about, error.message, 'Correct DATABASE_URL, or start PostgreSQL.')
    } else {
      yield problem(
        about,
        sentenceOf(error),
        'Restore the last backup where this does not end: docs/operating.md#backups',
      )
    }
    return
  }
  try {
    if (database.engine === 'postgresql') {
      yield* await findInServer(database, now)
      yield* await findInRoles(config, database)
    }
    const schema = await findInSchema(database)
    yield schema.finding
    if (schema.isCurrent) yield* findInInvariants(config, database, now)
    else yield findInAdministrators(config, await countAdministrators(database.maintenanceDb))
  } catch (error) {
    yield problem(about, sentenceOf(error), 'Look at the log of PostgreSQL.')
  } finally {
    await database.close()
  }
}

async function findInServer({ maintenanceDb }: OpenDatabase, now: () => number): Promise<Finding[]> {
  const { rows } = await sql<{ version: string; encoding: string; ms: number }>`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
           (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(maintenanceDb)
  const [server] = rows
  if (server === undefined) return []
  const found =
    server.encoding === 'UTF8'
      ? [good('Database', `PostgreSQL ${server.version} answers.`)]
      : [
          problem(
            'Database',
            `its encoding is ${server.encoding}.`,
            'Make a database with the encoding UTF8, and restore into it.',
          ),
        ]
  const apartMs = Math.abs(server.ms - now())
  const seconds = `${Math.round(apartMs / 1_000)} s`
  if (apartMs < clockWarningMs) found.push(good('Clock', 'it agrees with that of PostgreSQL.'))
  else {
    const sentence = `it differs by ${seconds} from that of PostgreSQL.`
    const advice = 'Set both machines by NTP: sessions, links and signatures end by these clocks.'
    found.push(apartMs < clockProblemMs ? warning('Clock', sentence, advice) : problem('Clock', sentence, advice))
  }
  return found
}

async function findInRoles(
  { migrationDatabaseUrl, dataDir, isPublic }: Config,
  database: OpenDatabase,
): Promise<Finding[]> {
  const about = 'Database roles'
  const guide = 'docs/operating.md#database-roles says how to make two roles.'
  if (migrationDatabaseUrl === undefined) {
    const sentence = 'the role of DATABASE_URL owns the schema and the audit log.'
    return isPublic ? [warning(about, sentence, guide)] : [good(about, sentence)]
  }
  let owner: OpenDatabase
  try {
    owner = await openDatabase({ databaseUrl: migrationDatabaseUrl, dataDir })
  } catch (error) {
    const sentence = sentenceOf(error).replace('DATABASE_URL', 'MIGRATION_DATABASE_URL')
    return [problem(about, sentence, 'Correct MIGRATION_DATABASE_URL.')]
  }
  try {
    const [runs, migrates] = [await roleOf(database.maintenanceDb), await roleOf(owner.maintenanceDb)]
    if (runs === migrates) return [problem(about, `both addresses name the role ${runs}.`, guide)]
    const excess = await findTooManyRights(database.maintenanceDb).catch((error: unknown) => {
      // Before the first start there are no tables.
      if ((error as { code?: unknown }).code === '42P01') return undefined
      throw error
    })
    if (excess !== undefined) return [warning(about, `${runs} can change more than rows: ${excess}.`, guide)]
    return [good(about, `${migrates} migrates; ${runs} runs the site, and changes rows alone.`)]
  } finally {
    await owner.close()
  }
}

async function findInSchema({ maintenanceDb }: OpenDatabase): Promise<{ finding: Finding; isCurrent: boolean }> {
  const about = 'Schema'
  const done = await doneMigrations(maintenanceDb)
  const known = Object.keys(migrations)
  const newer = done.filter((name) => !known.includes(name))
  if (newer.length > 0) {
    const finding = problem(
      about,
      `a newer version has migrated it (${newer.join(', ')}).`,
      'Run that version: migrations only go up. A backup from before is the only way back.',
    )
    return { finding, isCurrent: false }
  }
  const waiting = known.length - done.length
  if (waiting === 0) return { finding: good(about, 'it is that of this version.'), isCurrent: true }
  const isNew = done.length === 0
  const finding = isNew
    ? good(about, 'it is empty: the first start makes it.')
    : warning(
        about,
        `${counted(waiting, 'migration')} wait for the next start.`,
        'Make a backup before: migrations only go up.',
      )
  return { finding, isCurrent: false }
}

async function* findInInvariants(config: Config, database: OpenDatabase, now: () => number): AsyncGenerator<Finding> {
  const { maintenanceDb: db } = database
  const { events, faults, anchors } = await verifyAuditLog({ db, config, clock: systemClock })
  if (faults.length > 0) {
    yield problem(
      'Audit log',
      `${faults[0]?.sentence ?? 'it is not whole.'}${faults.length === 1 ? '' : ` Further faults: ${faults.length - 1}.`}`,
      'npm run daybook -- audit verify names all of them; docs/operating.md#audit-log says what they mean.',
    )
  } else if (anchors === 0 && events > 0) {
    yield warning(
      'Audit log',
      `${counted(events, 'event')}, whole, but the anchors are not in ${config.dataDir}.`,
      'Put audit-anchors.jsonl back, if this is another directory than before.',
    )
  } else yield good('Audit log', `${counted(events, 'event')}, whole.`)

  const administrators = await listAdministrators({ db })
  yield findInAdministrators(config, administrators.length)
  const without = administrators.filter((each) => !each.has_second_factor).length
  if (config.requiresAdminSecondFactor && without > 0) {
    yield warning(
      'Second factor',
      `${without} of ${counted(administrators.length, 'administrator')} can do nothing but set one up.`,
      'Have them sign in, and add a passkey or an authenticator app on their account page.',
    )
  } else if (config.isPublic && !config.requiresAdminSecondFactor) {
    yield warning(
      'Second factor',
      'administrators need none: whoever learns the password of one administers the site.',
      'Unset REQUIRE_ADMIN_SECOND_FACTOR, once each has set one up on their account page.',
    )
  }
  const { published, inLists } = await countPublished(db)
  yield published === inLists
    ? good('Catalogue', `${counted(published, 'published entry', 'published entries')}, each with its row.`)
    : problem(
        'Catalogue',
        `${published} entries are published, and ${inLists} have a row in lists.`,
        'Restore the last backup: somebody has written into the tables by hand.',
      )
  yield* findBrokenInvariants(database)
  yield* findInJournal(config, database, now())
  const failed = await countFailedJobs({ db, clock: systemClock })
  if (failed > 0) {
    yield warning(
      'Jobs',
      `${counted(failed, 'kind')} of work failed in the last 7 days.`,
      '/admin says which, and why.',
    )
  }
}

/** @param count how many there are; undefined in a database that the first start makes */
function findInAdministrators({ firstAdmin, hasDemoAccounts }: Config, count?: number): Finding {
  const about = 'Administrators'
  const command = 'npm run daybook -- admin create EMAIL'
  if (count !== undefined && count > 0) return good(about, `there are ${count}.`)
  if (firstAdmin !== undefined) return good(about, `the next start makes ${firstAdmin.email} the first one.`)
  if (count !== undefined) return problem(about, 'there is none.', command)
  return hasDemoAccounts
    ? good(about, 'the first start makes that of the demo.')
    : warning(
        about,
        'nobody will administer the new database.',
        `Set ADMIN_EMAIL and ADMIN_PASSWORD, or create one: ${command}`,
      )
}

async function* findBrokenInvariants({ maintenanceDb }: OpenDatabase): AsyncGenerator<Finding> {
  const about = 'Invariants'
  const invariants = allInvariants()
  let broken = 0
  for (const invariant of invariants) {
    const found = await checkInvariant(maintenanceDb, invariant)
    if (found.broken === 0) continue
    broken += 1
    yield problem(about, brokenInWords(invariant, found), invariant.advice)
  }
  if (broken === 0) yield good(about, `all ${invariants.length} hold.`)
}

async function findInMail(config: Config): Promise<Finding[]> {
  const about = 'Mail'
  const { smtpUrl, isPublic, mailFrom, dataDir } = config
  if (smtpUrl === undefined) {
    const sentence = `SMTP_URL is unset: emails are files in ${dataDir}/mail, and reach nobody.`
    return [isPublic ? problem(about, sentence, 'Set SMTP_URL to your mail server.') : good(about, sentence)]
  }
  const found: Finding[] = []
  if (isExample(mailFrom.address)) {
    found.push(
      problem(
        about,
        `the sender is ${mailFrom.address}, which is nobody's.`,
        'Set MAIL_FROM to an address of your own.',
      ),
    )
  }
  try {
    await tryMailServer(smtpUrl)
    found.push(good(about, 'the mail server answers. Send one: npm run daybook -- mail test ADDRESS'))
  } catch (error) {
    found.push(
      problem(
        about,
        `the mail server does not take emails: ${sentenceOf(error)}`,
        'Correct SMTP_URL, or start the mail server.',
      ),
    )
  }
  return found
}

function isExample(address: string): boolean {
  return /[@.]example\.(org|com|net)$/i.test(address)
}

async function findInPayments({ payments: settings, isPublic }: Config, log: Log): Promise<Finding> {
  const about = 'Payments'
  if (settings.isOff) return good(about, 'they are off: nothing is sold.')
  if (settings.isSandbox) {
    const sentence = 'the sandbox takes them, and no card is charged.'
    return isPublic ? warning(about, sentence, "Set Stripe's four settings before you sell.") : good(about, sentence)
  }
  const payments = new Payments(settings, log)
  try {
    await payments.tryPrices()
  } catch (error) {
    if (error instanceof ConfigError) return problem(about, error.message, `Correct ${error.variable}.`)
    if (!isAppError(error)) throw error
    return warning(
      about,
      `Stripe does not say whether the prices are right: ${error.message}`,
      'Look whether Stripe can be reached from here, and run this again.',
    )
  }
  if (settings.isLive) return good(about, 'Stripe knows the key and the prices, and real money moves.')
  const sentence = 'Stripe knows the key and the prices. They are test keys: no card is charged.'
  return isPublic ? warning(about, sentence, 'Set the live keys before you sell.') : good(about, sentence)
}

async function findInProxies(
  { isPublic, publicUrl, publicUrlIsSet, trustedProxies }: Config,
  ask: typeof fetch,
): Promise<Finding[]> {
  const about = 'Proxies'
  if (!publicUrlIsSet) {
    return [
      isPublic
        ? warning(
            about,
            'PUBLIC_URL is unset, and HOST is open to others.',
            'Set PUBLIC_URL to the address that visitors use.',
          )
        : good(about, 'none are needed on this machine.'),
    ]
  }
  const isSecure = publicUrl.startsWith('https:')
  const found: Finding[] = []
  if (isSecure && trustedProxies.length === 0) {
    found.push(
      warning(
        about,
        'PUBLIC_URL is https, so something stands before the site, and TRUSTED_PROXIES is unset: all visitors share the limits of one address.',
        'Set TRUSTED_PROXIES to the address of the proxy, such as 127.0.0.1, ::1.',
      ),
    )
  }
  try {
    const answer = await ask(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(outsideMs), redirect: 'manual' })
    await answer.body?.cancel()
    if (answer.status !== 200 || !answer.headers.has('x-request-id')) {
      found.push(
        problem(
          about,
          `${publicUrl} answers ${answer.status}, and it is not this site that does.`,
          'Have the proxy hand everything under this address on to HOST and PORT, with all headers.',
        ),
      )
    } else if (isSecure && !answer.headers.has('strict-transport-security')) {
      found.push(
        problem(
          about,
          'the header strict-transport-security does not reach visitors.',
          'Have the proxy pass all headers on, and give the server the same PUBLIC_URL.',
        ),
      )
    } else found.push(good(about, `the site answers at ${publicUrl}.`))
  } catch (error) {
    found.push(
      warning(
        about,
        `nobody answers at ${publicUrl}: ${sentenceOf(error)}`,
        'That is so while the server is stopped. Otherwise look at its name, its certificate and the proxy.',
      ),
    )
  }
  return found
}

async function findInFurther(config: Config, log: Log): Promise<Finding[]> {
  const found: Finding[] = []
  if (config.redisUrl !== undefined) {
    const limits = openRateLimits(config, log, { answerWithinMs: 2_000 })
    await limits.limit({ name: 'doctor', points: 1_000_000, seconds: 60 }).count('doctor')
    found.push(
      limits.isAlone
        ? problem(
            'Redis',
            'it does not answer.',
            'Correct REDIS_URL, or start Redis: until then each process counts its own limits.',
          )
        : good('Redis', 'it answers, and can be written to.'),
    )
    limits.close()
  }
  if (config.evidenceUrl !== undefined) {
    found.push(
      await tried(
        'Files of evidence',
        firstOf(openEvidenceStore(config, log).list()).then(() => good('Files of evidence', 'their bucket answers.')),
      ),
    )
  }
  if (config.isPublic) {
    const { contactEmail, dmcaEmail, securityContact } = config
    const nobodys = [
      ...(isExample(contactEmail) ? ['CONTACT_EMAIL'] : []),
      ...(isExample(dmcaEmail) ? ['DMCA_EMAIL'] : []),
    ]
    if (nobodys.length > 0) {
      found.push(
        warning(
          'Addresses',
          `${nobodys.join(' and ')} name nobody.`,
          'Set them, or save addresses of your own at /admin/texts.',
        ),
      )
    }
    if (securityContact === undefined) {
      found.push(
        warning(
          'Addresses',
          'nobody is named whom to tell of a weakness.',
          'Set SECURITY_CONTACT to an email or https address.',
        ),
      )
    }
  }
  return found
}

async function firstOf(names: AsyncIterable<string>): Promise<string | undefined> {
  for await (const name of names) return name
  return undefined
}
