import { type Config, settings } from '../app/config.ts'
import { examineConfig } from '../app/examine-config.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { Rehearsal } from '../features/office/rehearsal.server.ts'
import { features } from '../features/site/features.server.ts'
import { invariantsCheck } from '../features/site/invariants/examine-invariants.server.ts'
import { proxiesCheck } from '../http/examine-proxies.ts'
import type { GivenSettings } from '../platform/config/config.ts'
import { unknownSettingInWords, unknownSettings } from '../platform/config/unknown-settings.ts'
import { type DoctorCheck, type Finding, good, problem, sentenceOf, warning } from '../platform/doctor/doctor-check.ts'
import { dataDirCheck } from '../platform/doctor/examine-data-dir.ts'
import { examineSchema, openExamined, serverChecks, type WhyClosed } from '../platform/doctor/examine-database.ts'
import { openLog } from '../platform/log.ts'
import { redisCheck } from '../platform/rate-limit/examine-redis.ts'
import { systemClock } from '../platform/time/clock.ts'
import { openOrBorrow } from './backup.ts'
import { type Command, readArguments } from './command.ts'

export const doctorCommand: Command = {
  usage: `  doctor
      Looks at settings, data directory, database, mail, payments, clock, proxies and what must always be true, and
      says what to do. Changes nothing. Ends with 0, or with 1 when something is wrong.
`,
  usesPayments: true,
  run: (args, _withApp, given, options) => {
    readArguments(args, {}, 0)
    return runDoctor(given, options)
  },
}

const words: Record<Finding['state'], string> = { good: 'ok     ', warning: 'warning', problem: 'PROBLEM' }

/**
 * @param options.insists whether the database is looked at also where the server last used another one
 * @param options.fetch the access to other sites; another one in tests
 */
export async function runDoctor(
  given: GivenSettings,
  { insists = false, fetch = globalThis.fetch }: { insists?: boolean; fetch?: typeof globalThis.fetch } = {},
): Promise<number> {
  const counts = { good: 0, warning: 0, problem: 0 }
  for await (const [about, { state, sentence, advice }] of examine(given, { insists, fetch })) {
    counts[state] += 1
    process.stdout.write(`${words[state]}  ${about}: ${sentence}\n`)
    if (advice !== undefined) process.stdout.write(`         ${advice}\n`)
  }
  const isWell = counts.problem === 0
  process.stdout.write(
    isWell
      ? `\nNothing is wrong${counts.warning === 0 ? '.' : `; warnings: ${counts.warning}.`}\n`
      : `\nProblems: ${counts.problem}; warnings: ${counts.warning}.\n`,
  )
  return isWell ? 0 : 1
}

type Findings<Returned = void> = AsyncGenerator<[about: string, finding: Finding], Returned>

/** Looks at one thing after the other, and changes none of them (docs/spec/operations.md#doctor). */
async function* examine(
  given: GivenSettings,
  { insists, fetch }: { insists: boolean; fetch: typeof globalThis.fetch },
): Findings {
  const { config, findings } = await examineSettings(given)
  for (const finding of findings) yield ['Settings', finding]
  if (config === undefined) {
    yield ['Everything else', warning('is looked at when the settings are right.')]
    return
  }
  yield ['Mode', modeOf(config)]
  yield* run([dataDirCheck], { config })
  const rehearsal = yield* examineDatabase(config, insists)
  if (rehearsal !== undefined) yield ['Rehearsal', rehearsal]
  const checks = [proxiesCheck, redisCheck, ...features.flatMap(({ doctorChecks }) => doctorChecks?.settings ?? [])]
  const asked = checks.filter(({ isOffInRehearsal = false }) => rehearsal === undefined || !isOffInRehearsal)
  yield* run(asked, { config, log: openLog('silent'), fetch })
}

async function* run<Examined>(
  checks: readonly DoctorCheck<Examined>[],
  examined: Examined,
  advice = 'Look at the settings that the sentence names.',
): Findings {
  for (const { about, examine: look } of checks) {
    try {
      for await (const finding of look(examined)) yield [about, finding]
    } catch (error) {
      yield [about, problem(sentenceOf(error), advice)]
    }
  }
}

async function examineSettings(given: GivenSettings): Promise<{ config?: Config; findings: Finding[] }> {
  const unknown = unknownSettings(given, settings).map((each) =>
    warning(unknownSettingInWords(each), 'Correct its name, or take it out.'),
  )
  const { config, faults } = await examineConfig(given)
  const wrong = faults.map(({ message, variable }) =>
    problem(message, `Set ${variable}; docs/operating.md has a table of all settings.`),
  )
  if (wrong.length > 0) return { findings: [...wrong, ...unknown] }
  const { settingsFile } = config
  const file = settingsFile === undefined ? '; no settings file was found' : `; the file is ${settingsFile}`
  return { config, findings: [good(`they can be read, and make sense${file}.`), ...unknown] }
}

function modeOf({ isPublic, demo, hosts, publicUrl }: Config): Finding {
  const where = `it listens on ${hosts.join(' and ')}, and its address is ${publicUrl}`
  if (!isPublic) return good(`a trial on this machine: ${where}.`)
  if (!demo) return good(`public: ${where}.`)
  return warning(`public, with the demo catalogue: ${where}.`, 'Unset DEMO where the entries are to be your own.')
}

/** @returns the finding where the site is a copy, or where that is not known; undefined where it is none */
async function* examineDatabase(config: Config, insists: boolean): Findings<Finding | undefined> {
  const contributed = features.map(({ doctorChecks = {} }) => doctorChecks)
  const waiting = contributed.flatMap(({ waitingDatabase = [] }) => waitingDatabase)
  const opened = await openExamined(config, insists)
  if ('finding' in opened) {
    yield ['Database', opened.finding]
    if (opened.why === 'new') yield* run(waiting, { config })
    return examineRehearsal(config, opened.why)
  }
  const { database } = opened
  const db = database.maintenanceDb
  const clock = systemClock
  const advice = 'Look at the log of PostgreSQL.'
  const rehearsal = await examineRehearsal(config, database)
  try {
    if (database.engine === 'postgresql') yield* run(serverChecks, { config, database, clock }, advice)
    const { finding, isCurrent } = await examineSchema(database)
    yield ['Schema', finding]
    if (!isCurrent) yield* run(waiting, { config, db }, advice)
    else {
      const checks = [...contributed.flatMap(({ database: own = [] }) => own), invariantsCheck]
      yield* run(checks, { config, db, clock }, advice)
    }
  } catch (error) {
    yield ['Database', problem(sentenceOf(error), advice)]
  } finally {
    await database.close()
  }
  return rehearsal
}

/**
 * A copy may have the settings of the site: where nobody knows that it is none, it asks no one.
 * @param from the database, or why it is not open
 */
async function examineRehearsal(config: Config, from: OpenDatabase | WhyClosed): Promise<Finding | undefined> {
  const copy = 'this is a copy. It sends no email and takes no payment, and neither is looked at.'
  if (config.rehearsal) return warning(copy, 'Unset REHEARSAL to end it.')
  if (from === 'new') return undefined
  const unknown = (why: string): Finding =>
    warning(
      `it is not known whether this is a copy, and neither mail nor payments are looked at: ${why}`,
      'Run this again when the database can be looked at.',
    )
  if (from === 'closed') return unknown('the database is not open.')
  try {
    const isSaved = await readRehearsal(config, from)
    return isSaved ? warning(copy, 'End it: npm run daybook -- rehearsal end') : undefined
  } catch (error) {
    // The schema is yet to be made.
    if ((error as { code?: unknown }).code === '42P01') return undefined
    return unknown(sentenceOf(error))
  }
}

async function readRehearsal(config: Config, from: OpenDatabase | 'held'): Promise<boolean> {
  // The copy is of this data directory; an address could lead to the server of another one.
  const { database, close } = from === 'held' ? await openOrBorrow(config, true) : { database: from, close: undefined }
  try {
    return await new Rehearsal(config).readSaved(database.maintenanceDb)
  } finally {
    await close?.()
  }
}
