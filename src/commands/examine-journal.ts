import type { OpenDatabase } from '../db/open-database.ts'
import { findDifferences } from '../features/notices/journal/find-differences.server.ts'
import {
  RemovalJournal,
  RemovalJournalError,
  type ReadJournal,
} from '../features/notices/journal/journal-file.server.ts'
import { isCutSince, readKnownEnds } from '../features/notices/journal/known-ends.server.ts'
import { lostInWords } from '../features/notices/journal/raise-alarms.server.ts'
import { counted } from '../platform/counted.ts'
import { isoOf } from '../platform/time/iso-of.ts'
import type { Finding } from './examine.ts'

const about = 'Removals'
/** The time for which losses of a restore are reported. */
const lostToldForMs = 30 * 86_400_000
const mostNamed = 10

/** Compares the journal of removals with the database, and changes neither. */
export async function* findInJournal(
  { dataDir }: { dataDir: string },
  { maintenanceDb }: Pick<OpenDatabase, 'maintenanceDb'>,
  now: number,
): AsyncGenerator<Finding> {
  let journal: ReadJournal
  try {
    journal = await new RemovalJournal({ dataDir }).read()
  } catch (error) {
    if (!(error instanceof RemovalJournalError)) throw error
    yield {
      about,
      state: 'problem',
      sentence: error.message,
      advice: 'The site does not start before: docs/operating.md#removals',
    }
    return
  }
  const ends = await readKnownEnds(maintenanceDb, journal)
  const found = await findDifferences(maintenanceDb, journal.state, { at: isoOf(now) })
  if (journal.lines === 0) {
    yield ends.others === 0 && found.lines.length === 0
      ? { about, state: 'good', sentence: 'the first start makes their journal.' }
      : {
          about,
          state: 'warning',
          sentence: 'there is no journal of removals in the data directory: the next start fills it from the database.',
          advice: 'Put the newest copy of removals.jsonl there first, if you have restored a backup.',
        }
    return
  }
  const repairs = found.lost.length + found.incomplete.length + found.unhidden.length
  if (repairs > 0) {
    yield {
      about,
      state: 'problem',
      sentence: `the database has lost ${counted(repairs, 'removal')} of entries, or hiding of them, that the journal holds.`,
      advice: 'Start the site: it takes them off again before it serves anything.',
    }
  }
  if (isCutSince(journal, ends)) {
    yield {
      about,
      state: 'problem',
      sentence: 'the journal was cut, or is an older copy: the database knows of more lines.',
      advice: 'Put back the newest copy of removals.jsonl. Otherwise the next start adds what the database has.',
    }
  }
  if (journal.tornBytes > 0)
    yield {
      about,
      state: 'warning',
      sentence: 'the last line of the journal was not written to its end. It is passed over.',
    }
  const lost = [
    ...[...journal.state.lost.values()].filter(({ at }) => Date.parse(at) > now - lostToldForMs),
    ...found.lostNotices,
  ]
  if (lost.length > 0) {
    const named = lost.slice(0, mostNamed).map(lostInWords).join('; ')
    const rest = lost.length > mostNamed ? `; and ${counted(lost.length - mostNamed, 'other')}` : ''
    yield {
      about,
      state: 'warning',
      sentence: `a restore has lost notices or deadlines: ${named}${rest}.`,
      advice: 'Work on them by hand: the emails about them say what they were about.',
    }
  }
  if (repairs === 0 && lost.length === 0)
    yield {
      about,
      state: 'good',
      sentence: `their journal has ${counted(journal.lines, 'line')}, and the database agrees.`,
    }
}
