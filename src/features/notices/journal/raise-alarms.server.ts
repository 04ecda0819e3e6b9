import { counted } from '../../../platform/counted.ts'
import type { Alarm } from '../../office/alarms/alarms.server.ts'
import type { NoticesApp } from '../app.ts'
import type { Differences } from './find-differences.server.ts'
import type { Deadline } from './journal-state.ts'
import { readNotices } from './read-deadlines.server.ts'

/** The email lists this many; the command line lists all. */
const mostNamed = 10

interface Told {
  found?: Pick<Differences, 'lost' | 'incomplete' | 'unhidden' | 'lostNotices' | 'lostReversals'>
  /** The ids of the entries that were taken off the site again. */
  taken?: readonly string[]
  /** How many lines the journal had, and how many are left. */
  cut?: { had: number; has: number } | undefined
  isMissing?: boolean
}

/**
 * Notifies administrators of what a restore has brought back and lost. Every administrator reads it: a notice about a child at
 * risk is named only where the database does not have it any more, and nothing tells its kind then.
 */
export async function raiseAlarms(
  app: Pick<NoticesApp, 'alarms' | 'db'>,
  { found, taken = [], cut, isMissing = false }: Told,
): Promise<void> {
  if (cut !== undefined) app.alarms.raise(cutAlarm(cut))
  if (isMissing) app.alarms.raise(missingAlarm)
  if (found !== undefined) {
    const repaired = found.lost.length + found.incomplete.length + found.unhidden.length
    const reversals = await namedToAll(app, found.lostReversals)
    const lost = await namedToAll(app, found.lostNotices)
    if (repaired + found.lostReversals.length + found.lostNotices.length > 0)
      app.alarms.raise(restoredAlarm({ repaired, taken: taken.length, lost, reversals }))
  }
  await app.alarms.settle()
}

async function namedToAll<T extends string | { reference: string }>(
  { db }: Pick<NoticesApp, 'db'>,
  all: readonly T[],
): Promise<T[]> {
  const referenceOf = (one: T): string => (typeof one === 'string' ? one : one.reference)
  const notices = await readNotices(db, all.map(referenceOf))
  return all.filter((one) => notices.get(referenceOf(one))?.kind !== 'child-safety')
}

function restoredAlarm({
  repaired,
  taken,
  lost,
  reversals,
}: {
  repaired: number
  taken: number
  lost: readonly { reference: string; deadlines: Deadline[] }[]
  reversals: readonly string[]
}): Alarm {
  const sentences = ['The database is older than the journal of removals, as after a restore of a backup.']
  if (repaired > 0) {
    sentences.push(
      `${counted(repaired, 'removal')} of entries, or hiding of them, had been lost and ${repaired === 1 ? 'was' : 'were'} made again; ${counted(taken, 'entry', 'entries')} had been on the site.`,
    )
  }
  if (lost.length > 0) sentences.push(`Lost notices and deadlines: ${listed(lost.map(lostInWords))}.`)
  if (reversals.length > 0) {
    sentences.push(`Lost decisions to give entries back: ${listed(reversals)}. Their entries are off the site.`)
  }
  return {
    name: 'removals.restored',
    headline: 'What had been removed was back',
    sentence: sentences.join(' '),
    advice:
      'Work on what is lost by hand: the emails about these notices say what they were about. `npm run daybook -- removals` lists everything; what was taken off by mistake is given back at the desk, or by `removals lift`.',
    to: '/admin/notices',
  }
}

/** 'N-2JZ4-8K0P (decide by 2026-11-24T09:30Z)' */
export function lostInWords({ reference, deadlines }: { reference: string; deadlines: readonly Deadline[] }): string {
  const words = deadlines.map(({ name, dueAt }) => `${name} by ${dueAt.slice(0, 16)}Z`)
  return words.length === 0 ? reference : `${reference} (${words.join(', ')})`
}

function listed(words: readonly string[]): string {
  const named = words.slice(0, mostNamed).join('; ')
  const rest = words.length - mostNamed
  return rest > 0 ? `${named}; and ${counted(rest, 'other')}` : named
}

function cutAlarm({ had, has }: { had: number; has: number }): Alarm {
  return {
    name: 'removals.cut',
    headline: 'The journal of removals was cut',
    sentence: `The journal of removals in DATA_DIR had ${counted(had, 'line')} and has ${counted(has, 'line')}, or its end is another one. The lines that the database has were added again.`,
    advice:
      'If you have put back an older copy of the file, put back the newest one and start the site again: only that one knows what a restored database has lost. If you have not, look who may write to DATA_DIR.',
  }
}

const missingAlarm: Alarm = {
  name: 'removals.missing',
  headline: 'The journal of removals was missing',
  sentence:
    'There was no journal of removals in DATA_DIR, and there had been one. It was filled from the database: what a restored backup has lost is not known.',
  advice: 'If you have a copy of removals.jsonl, stop the site, put the copy in DATA_DIR, and start it again.',
}
