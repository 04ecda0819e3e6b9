import { resolve } from 'node:path'
import { isLoopback } from '../is-loopback.ts'
import type { SettingsReader } from './config.ts'
import { address, host, matching, oneOf, onOrOff, origin, path, readableFile, timeZone, wholeNumber } from './kinds.ts'
import { setting } from './setting.ts'

const postgresAddress = matching(/^postgres(ql)?:\/\//, 'an address that starts with postgresql://')

export const platformSettings = {
  settingsFile: setting({
    name: 'DAYBOOK_ENV',
    kind: readableFile,
    byDefault: '`DATA_DIR/daybook.env`, else `/etc/daybook/daybook.env`, where there is one',
    sentence: 'the [settings file](#settings-file). Read from the environment alone',
  }),
  port: setting({
    name: 'PORT',
    kind: wholeNumber(0, 65_535),
    default: 3000,
    sentence: 'where it listens; 0 takes a free port',
  }),
  host: setting({
    name: 'HOST',
    kind: host,
    byDefault: '127.0.0.1 and, where there is one, ::1',
    sentence: 'the address it listens on; `0.0.0.0` for all, which makes the site [public](#modes)',
  }),
  workers: setting({
    name: 'WORKERS',
    kind: wholeNumber(1, 64),
    default: 1,
    sentence:
      'how many processes answer at this port, each on a core of its own ([Workers](#workers)). More than one need `DATABASE_URL` and `REDIS_URL`',
  }),
  publicUrl: setting({
    name: 'PUBLIC_URL',
    kind: origin,
    byDefault: '`http://localhost:PORT`',
    sentence:
      "the site's address as visitors know it, without a path. With https the site is [public](#modes), and browsers are told to insist on it",
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    kind: postgresAddress,
    isSecret: true,
    sentence: '`postgresql://…`, version 15 or newer. Unset: an embedded PostgreSQL in the data directory',
  }),
  migrationDatabaseUrl: setting({
    name: 'MIGRATION_DATABASE_URL',
    kind: postgresAddress,
    isSecret: true,
    byDefault: 'unset: the role of `DATABASE_URL` does both',
    sentence:
      'the same database, with the role that owns the schema and migrates it ([Database roles](#database-roles))',
  }),
  directDatabaseUrl: setting({
    name: 'DATABASE_DIRECT_URL',
    kind: postgresAddress,
    isSecret: true,
    byDefault: '`DATABASE_URL`',
    sentence:
      'the same database and role past [PgBouncer](#pgbouncer), where `DATABASE_URL` leads to one that lends connections by the transaction',
  }),
  replicaDatabaseUrl: setting({
    name: 'DATABASE_REPLICA_URL',
    kind: postgresAddress,
    isSecret: true,
    sentence:
      'a streaming standby of the same database, with the same role: it answers lists and exports of administrators while it has all that was saved before the call ([Replica](#replica))',
  }),
  dataDir: setting({ name: 'DATA_DIR', kind: path, byDefault: '`./data`', sentence: 'the data directory' }),
  embeddedSync: setting({
    name: 'EMBEDDED_SYNC',
    kind: onOrOff,
    default: true,
    byDefault: 'on',
    sentence: '`off`: the embedded database does not wait for the disk, and a power cut can lose or damage it',
  }),
  timeZone: setting({
    name: 'SITE_TIME_ZONE',
    kind: timeZone,
    default: 'UTC',
    sentence: 'an IANA name such as `Europe/Lisbon`; decides "today", months, and dates without a time',
  }),
  redisUrl: setting({
    name: 'REDIS_URL',
    kind: address(['redis:', 'rediss:'], 'redis://cache.internal:6379'),
    isSecret: true,
    sentence:
      '`redis://…` or `rediss://…`, version 6 or newer: all instances share their limits. Unset: each process counts for itself',
  }),
  smtpUrl: setting({
    name: 'SMTP_URL',
    kind: address(['smtp:', 'smtps:'], 'smtp://user:password@mail.example:587'),
    isSecret: true,
    sentence:
      'the mail server, like `smtp://user:password@mail.example:587` or `smtps://…:465`. Unset: each email is a file in `DATA_DIR/mail`',
  }),
  mailRate: setting({
    name: 'MAIL_RATE',
    kind: wholeNumber(1, 100_000),
    byDefault: 'as many as it takes',
    sentence:
      'how many emails a minute a process gives to the mail server, evenly; links that set a password do not wait ([Mail](#mail))',
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    kind: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    sentence: 'trace, debug, info, warn, error, fatal or silent',
  }),
}

export interface PlatformConfig extends ReturnType<typeof platformConfig> {}

export function platformConfig(reader: SettingsReader) {
  const { host: onlyHost, publicUrl, dataDir, ...values } = reader.values(platformSettings)
  // While `HOST` is unset both of this machine's own, the second where there is one.
  const hosts: readonly string[] = onlyHost === undefined ? ['127.0.0.1', '::1'] : [onlyHost]
  const isPublic = publicUrl?.startsWith('https:') === true || !hosts.every(isLoopback)
  if (isPublic) reader.refusePlaceholders(platformSettings)
  for (const beside of ['migrationDatabaseUrl', 'directDatabaseUrl', 'replicaDatabaseUrl'] as const) {
    if (values[beside] !== undefined && !reader.isSet(platformSettings.databaseUrl))
      reader.refuse(platformSettings.databaseUrl, `set where ${platformSettings[beside].name} is`)
  }
  for (const shared of [platformSettings.databaseUrl, platformSettings.redisUrl]) {
    if (values.workers > 1 && !reader.isSet(shared)) reader.refuse(shared, 'set where WORKERS is more than 1')
  }
  return {
    ...values,
    /** The settings file that was read, where there is one. */
    settingsFile: reader.file,
    hosts,
    /**
     * Others than the operator reach it: nothing that is only good for a trial may run unasked
     * (docs/spec/security.md#modes).
     */
    isPublic,
    /** Origin of the site as visitors know it, without a trailing slash. */
    publicUrl: publicUrl ?? `http://localhost:${values.port}`,
    /** False while `PUBLIC_URL` is unset: then every spelling of the loopback address is the site's own. */
    publicUrlIsSet: publicUrl !== undefined,
    dataDir: dataDir ?? resolve('./data'),
  }
}
