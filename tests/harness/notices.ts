import { randomBytes } from 'node:crypto'
import { afterEach } from 'vitest'
import type { App } from '../../src/app/app.ts'
import { readReported } from '../../src/features/catalogue/removal/match-reported.server.ts'
import { digestOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import { trackingTokenOf } from '../../src/features/notices/intake/tracking-token.server.ts'
import { beginNotice } from '../../src/features/notices/notice/begin-notice.server.ts'
import type { NoticeFields } from '../../src/features/notices/notice/notice-elements.ts'
import type { NoticeKind } from '../../src/features/notices/notice/notice-kinds.ts'
import { drainJobs } from './drain.ts'
import { deleteAllItems } from './items.ts'
import { writePastRules } from './past-rules.ts'
import type { TestServer } from './test-server.ts'

/** After each test of a file what is in line is done, and no notice and no entry is left. */
export function leaveNoNotice(server: Pick<TestServer, 'app'>): void {
  afterEach(async () => {
    const { app } = server
    await drainJobs(app)
    await deleteAllNotices(app)
    await deleteAllItems(app)
    await app.alarms.end('notices.flood')
  })
}

export interface MadeNotice {
  id: string
  reference: string
}

export interface NoticeOverrides extends Partial<NoticeFields> {
  kind?: NoticeKind
  /** The entries, by their slugs, or any addresses. */
  urls?: readonly string[]
  missing?: readonly string[]
  /** The address that it comes from. */
  from?: string
}

/** A notice as the form takes it in, whole unless the overrides say what is missing. */
export async function aNotice(app: App, overrides: NoticeOverrides = {}): Promise<MadeNotice> {
  const { kind = 'copyright', urls = [], missing = [], from, ...fields } = overrides
  const reported = await readReported(
    app,
    urls.map((url) => (url.includes('/') ? url : `${app.config.publicUrl}/western/${url}`)),
  )
  const notice = await app.db.transaction().execute((trx) =>
    beginNotice(app, trx, {
      kind,
      reported,
      missing,
      ...(from === undefined ? {} : { from }),
      tokenDigest: randomBytes(32),
      fields: {
        name: 'Ada Author',
        organization: null,
        address: '1 Reading Row',
        phone: '+1 555 0100',
        email: 'ada@authors.example',
        workDescription: 'A novel of 1890.',
        explanation: 'An image of me.',
        lawCited: null,
        goodFaith: true,
        accuracy: true,
        perjury: true,
        signature: 'Ada Author',
        ...fields,
      },
    }),
  )
  await app.listing.catchUp()
  return notice
}

/** The secret of its private page, as emails name it. */
export async function noticeToken(app: Pick<App, 'db'>, { id }: { id: string }): Promise<string> {
  const token = await trackingTokenOf(app.db, id)
  await writePastRules(
    app,
    `update notices set token_digest = '\\x${digestOf(token).toString('hex')}' where id = '${id}'`,
  )
  return token
}

/** Has everything about a notice lie so much further back, as the database's clock sees it. */
export async function ageNotice(app: Pick<App, 'db'>, { id }: { id: string }, interval: string): Promise<void> {
  const moved = {
    notices: ['received_at', 'completed_at', 'decided_at', 'closed_at', 'due_at', 'notified_at'],
    notice_events: ['at'],
    notice_hides: ['at'],
    notice_clocks: ['started_at', 'due_at', 'work_at', 'overdue_at', 'notified_at', 'ended_at'],
    notice_decisions: ['decided_at', 'applies_from'],
    notice_appeals: ['filed_at', 'answered_at'],
    counter_notices: ['received_at', 'accepted_at', 'notified_at'],
  }
  await writePastRules(
    app,
    ...Object.entries(moved).map(
      ([table, columns]) =>
        `update ${table} set ${columns.map((column) => `${column} = ${column} - interval '${interval}'`).join(', ')}
          where ${table === 'notices' ? 'id' : 'notice_id'} = '${id}'`,
    ),
  )
}

/** Deletes every notice with everything that belongs to it. */
export async function deleteAllNotices(app: Pick<App, 'db'>): Promise<void> {
  const tables = [
    'counter_notice_items',
    'counter_notices',
    'notice_appeals',
    'notice_decision_items',
    'notice_decisions',
    'notice_clocks',
    'notice_hides',
    'notice_assignments',
    'notice_events',
    'notice_items',
    'notices',
  ]
  await writePastRules(app, ...tables.map((table) => `delete from ${table}`))
}
