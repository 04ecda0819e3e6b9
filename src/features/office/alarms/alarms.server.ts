import { sql } from 'kysely'
import type { SiteLimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import type { OfficeApp } from '../app.ts'
import { recordAuditEvent } from '../audit/record-audit-event.server.ts'
import type { Problem } from '../contributions.ts'
import { alarmMail } from './alarm-mail.ts'

/** How long an alarm stands on the home of the administration after it was last raised. */
const alarmsShownForMs = 7 * 86_400_000

/** The shortest time between two emails of one alarm. */
const emailEveryMs = 3_600_000

/** The shortest time between two writes of an alarm: in a flood it is raised with each request. */
const writeEveryMs = 60_000

/** An incident for the operator to look at (docs/spec/security.md#alarms). */
export interface Alarm {
  /** The same for all that is one alarm, such as `limit forgot.site`; no name and no address of a person. */
  name: string
  /** The subject of the email: 'Many forgotten passwords'. */
  headline: string
  /** The incident, and the site's reaction. */
  sentence: string
  advice: string
  /** The page of the administration where there is more to see. */
  to?: string
}

interface Raised {
  alarm: Alarm
  /** Since it was last written. */
  times: number
  /** Runs while it was written a short time ago. */
  timer: NodeJS.Timeout | undefined
}

type Parts = Pick<OfficeApp, 'db' | 'mail' | 'clock' | 'log' | 'people'>

/**
 * Raises alarms: each stands on the home of the administration for a week, and goes out to all administrators by email,
 * at most once an hour, whichever instance raises it. Raising costs nothing: it is counted here, and written at once the
 * first time, then once a minute.
 */
export class Alarms {
  readonly #parts: Parts
  readonly #raised = new Map<string, Raised>()
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Never throws, and waits for nothing. */
  raise(alarm: Alarm): void {
    const raised = this.#raised.get(alarm.name)
    if (raised === undefined) {
      this.#raised.set(alarm.name, { alarm, times: 1, timer: undefined })
      this.#writeSoon(alarm.name)
    } else {
      raised.alarm = alarm
      raised.times += 1
      if (raised.timer === undefined) this.#writeSoon(alarm.name)
    }
  }

  /** Takes an alarm from the home of the administration, once its cause is known to be gone. */
  async end(name: string): Promise<void> {
    // Earlier alarms are written first, and nothing after this one.
    await this.settle()
    clearTimeout(this.#raised.get(name)?.timer)
    this.#raised.delete(name)
    await this.#parts.db.deleteFrom('alarms').where('name', '=', name).execute()
  }

  /** Resolves when all that was raised is written. */
  async settle(): Promise<void> {
    for (const name of this.#raised.keys()) this.#writeSoon(name)
    await this.#writing
  }

  /** Writes what is raised, and nothing after it. */
  async close(): Promise<void> {
    await this.settle()
    for (const { timer } of this.#raised.values()) clearTimeout(timer)
    this.#raised.clear()
  }

  #writeSoon(name: string): void {
    this.#writing = this.#writing.then(() => this.#write(name))
  }

  async #write(name: string): Promise<void> {
    const raised = this.#raised.get(name)
    if (raised === undefined || raised.times === 0) return
    const { alarm, times } = raised
    raised.times = 0
    clearTimeout(raised.timer)
    raised.timer = setTimeout(() => this.#writeAgain(name), writeEveryMs)
    raised.timer.unref()
    try {
      await writeAlarm(this.#parts, alarm, times)
    } catch (error) {
      // It is raised again, or written with what follows.
      raised.times += times
      this.#parts.log.error({ err: error, alarm: name }, 'An alarm could not be written.')
    }
  }

  #writeAgain(name: string): void {
    const raised = this.#raised.get(name)
    if (raised === undefined) return
    raised.timer = undefined
    if (raised.times > 0) this.#writeSoon(name)
    else this.#raised.delete(name)
  }
}

async function writeAlarm({ db, mail, clock, people }: Parts, alarm: Alarm, times: number): Promise<void> {
  const now = new Date(clock.now())
  const { name, headline, sentence, advice, to = null } = alarm
  const words = { headline, sentence, advice, leads_to: to }
  await db.transaction().execute(async (trx) => {
    // The row is locked by it: of two instances one tells.
    const { times_since_email: timesSince, notified_at: notifiedAt } = await trx
      .insertInto('alarms')
      .values({ name, ...words, first_at: now, last_at: now, times, times_since_email: times, notified_at: null })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet({
          ...words,
          last_at: now,
          times: sql<number>`alarms.times + excluded.times`,
          times_since_email: sql<number>`alarms.times_since_email + excluded.times_since_email`,
        }),
      )
      .returning(['times_since_email', 'notified_at'])
      .executeTakeFirstOrThrow()
    if (notifiedAt !== null && notifiedAt.getTime() > now.getTime() - emailEveryMs) return
    await trx.updateTable('alarms').set({ notified_at: now, times_since_email: 0 }).where('name', '=', name).execute()
    await recordAuditEvent(trx, { action: 'alarm.raised', by: 'system', details: { alarm: name, times: timesSince } })
    const administrators = await people.listAdministrators(trx)
    const notified = { headline, sentence, advice, to, times: timesSince, since: notifiedAt?.toISOString() ?? null }
    const emails = administrators.map(({ userId }) => ({ ...notified, userId }))
    if (emails.length > 0) await mail.queueMany(trx, alarmMail, emails)
  })
}

/** The alarms of the last days, for the home of the administration; the latest first. */
export async function readAlarms({ db, clock }: Pick<OfficeApp, 'db' | 'clock'>): Promise<Problem[]> {
  const rows = await db
    .selectFrom('alarms')
    .select(['name', 'sentence', 'advice', 'leads_to', 'last_at'])
    .where('last_at', '>', new Date(clock.now() - alarmsShownForMs))
    .orderBy('last_at', 'desc')
    .execute()
  return rows.map(({ name: alarm, sentence, advice, leads_to: to, last_at: since }) => ({
    alarm,
    sentence,
    line: advice,
    since,
    ...(to === null ? {} : { to }),
  }))
}

/** Deletes those that the home shows no more. */
export async function deleteOldAlarms({ db, clock }: Pick<OfficeApp, 'db' | 'clock'>): Promise<void> {
  await db
    .deleteFrom('alarms')
    .where('last_at', '<=', new Date(clock.now() - alarmsShownForMs))
    .execute()
}

export function alarmOfLimit({ name, what, points, seconds }: SiteLimitRule): Alarm {
  const within = seconds === 60 ? 'a minute' : seconds === 3_600 ? 'an hour' : `${seconds} seconds`
  const most = points.toLocaleString('en-US')
  return {
    name: `limit ${name}`,
    headline: `Very many ${what}`,
    sentence: `There were more than ${most} ${what} within ${within}. Further callers wait in line, and some are refused. Members on a device that the site knows sign in as always.`,
    advice:
      'If you do not know why, somebody floods the site: look into the log of your proxy for the addresses that send the most, and block them there.',
  }
}
