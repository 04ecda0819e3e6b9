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
import type { NoticesApp } from '../app.ts'
import type { NoticesConfig } from '../notices-config.server.ts'
import { findDifferences } from './find-differences.server.ts'
import { RemovalJournal, RemovalJournalError, type ReadJournal } from './journal-file.server.ts'
import { isCutSince, readKnownEnds } from './known-ends.server.ts'
import { lostInWords } from './raise-alarms.server.ts'

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
