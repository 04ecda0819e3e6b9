import type { NoticesApp } from '../app.ts'
import { isDatabaseUnavailable } from '../../../platform/database-outages.ts'
import type { Alarm } from '../../office/alarms/alarms.server.ts'
import { reconcileJournal } from './reconcile-journal.server.ts'
import { counted } from '../../../platform/counted.ts'
import {
  type DoctorCheck,
  type ExaminedDatabase,
  type Finding,
  good,
  problem,
  warning,
} from '../../../platform/doctor/doctor-check.ts'
import { isoOf } from '../../../platform/time/iso-of.ts'
import type { NoticesConfig } from '../notices-config.server.ts'
import { findDifferences } from './find-differences.server.ts'
import {
  RemovalJournal,
  RemovalJournalError,
  type ReadJournal,
  isCutSince,
  readKnownEnds,
} from './journal-file.server.ts'
import { lostInWords } from './raise-alarms.server.ts'

const everyMs = 60_000

/**
 * Reconciles the journal of this process's data directory every minute (docs/spec/notices.md#journal). No job does: it would fall to
 * one of several processes, and a restore may begin with the journal of any of them.
 * @returns how to stop
 */
export function keepJournal(app: NoticesApp): () => Promise<void> {
  let underway: Promise<void> | undefined
  const reconcile = async (): Promise<void> => {
    try {
      await reconcileJournal(app)
      await app.alarms.end(alarmName)
    } catch (error) {
      // An outage of the database is told by itself.
      if (isDatabaseUnavailable(error)) return
      app.log.error({ err: error }, 'The journal of removals could not be compared with the database.')
      app.alarms.raise(alarmOf(error as Error))
    }
  }
  const timer = setInterval(() => {
    underway ??= reconcile().finally(() => (underway = undefined))
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await underway
  }
}

const alarmName = 'removals.unreadable'

function alarmOf({ message }: Error): Alarm {
  return {
    name: alarmName,
    headline: 'The journal of removals cannot be compared',
    sentence: `The journal of removals could not be compared with the database: ${message.replace(/\.?$/, '.')}`,
    advice:
      'It is tried again every minute. Until then a restore may bring back what was removed: look at `removals.jsonl` in DATA_DIR.',
  }
}

type Examined = ExaminedDatabase<NoticesConfig, NoticesApp['db']>

/** The time for which losses of a restore are reported. */
const reportedForMs = 30 * 86_400_000
const mostNamed = 10

/** Compares the journal of removals with the database, and changes neither. */
export const journalCheck: DoctorCheck<Examined> = { about: 'Removals', examine }

async function* examine({ config, db, clock }: Examined): AsyncGenerator<Finding> {
  let journal: ReadJournal
  try {
    journal = await new RemovalJournal(config).read()
  } catch (error) {
    if (!(error instanceof RemovalJournalError)) throw error
    yield problem(error.message, 'The site does not start before: docs/operating.md#removals')
    return
  }
  const ends = await readKnownEnds(db, journal)
  const found = await findDifferences(db, journal.state, { at: isoOf(clock.now()) })
  if (journal.lines === 0) {
    yield ends.others === 0 && found.lines.length === 0
      ? good('the first start makes their journal.')
      : warning(
          'there is no journal of removals in the data directory: the next start fills it from the database.',
          'Put the newest copy of removals.jsonl there first, if you have restored a backup.',
        )
    return
  }
  const repairs = found.lost.length + found.incomplete.length + found.unhidden.length
  if (repairs > 0) {
    yield problem(
      `the database has lost ${counted(repairs, 'removal')} of entries, or hiding of them, that the journal holds.`,
      'Start the site: it takes them off again before it serves anything.',
    )
  }
  if (isCutSince(journal, ends)) {
    yield problem(
      'the journal was cut, or is an older copy: the database knows of more lines.',
      'Put back the newest copy of removals.jsonl. Otherwise the next start adds what the database has.',
    )
  }
  if (journal.tornBytes > 0)
    yield warning('the last line of the journal was not written to its end. It is passed over.')
  const lost = [
    ...[...journal.state.lost.values()].filter(({ at }) => Date.parse(at) > clock.now() - reportedForMs),
    ...found.lostNotices,
  ]
  if (lost.length > 0) {
    const named = lost.slice(0, mostNamed).map(lostInWords).join('; ')
    const rest = lost.length > mostNamed ? `; and ${counted(lost.length - mostNamed, 'other')}` : ''
    yield warning(
      `a restore has lost notices or deadlines: ${named}${rest}.`,
      'Work on them by hand: the emails about them say what they were about.',
    )
  }
  if (repairs === 0 && lost.length === 0)
    yield good(`their journal has ${counted(journal.lines, 'line')}, and the database agrees.`)
}
