import { beforeAll, expect, test } from 'vitest'
import { drainJobs } from '../../../../tests/harness/drain.ts'
import { readEmails } from '../../../../tests/harness/emails.ts'
import { someItems } from '../../../../tests/harness/items.ts'
import { aMember } from '../../../../tests/harness/members.ts'
import { ageNotice, aNotice, type MadeNotice } from '../../../../tests/harness/notices.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { openLog } from '../../../platform/log.ts'
import type { NoticeKind } from '../notice/notice-kinds.ts'
import { workOnClocks } from './work-on-clocks.server.ts'

const opened = appOfFile({ now: new Date().toISOString(), log: openLog('silent') })

beforeAll(async () => {
  await aMember(opened.app, { email: 'officer@library.example', isAdmin: true })
})

test('after a standstill of 60 hours what is overdue is worked off the gravest first, and what has time left waits', async () => {
  const { app } = opened
  // The least grave came first.
  const kinds: NoticeKind[] = ['privacy', 'copyright', 'consent', 'intimate-image', 'child-safety']
  const items = await someItems(
    app,
    kinds.map((kind) => ({ name: `About ${kind}`, link: `https://mega.nz/file/${kind}` })),
  )
  const names = new Map<string, string>()
  const made: MadeNotice[] = []
  for (const [place, kind] of kinds.entries()) {
    const notice = await aNotice(app, { kind, urls: [items[place]?.slug ?? ''] })
    names.set(notice.id, kind)
    made.push(notice)
  }
  for (const notice of made) await ageNotice(app, notice, '60 hours')
  const done: string[] = []
  for (;;) {
    await workOnClocks(app, 1)
    const events = await app.db
      .selectFrom('notice_events')
      .select(['notice_id', 'type'])
      .where('by_kind', '=', 'system')
      .orderBy('no')
      .execute()
    if (events.length === done.length) break
    // Each run works off one deadline.
    expect(events).toHaveLength(done.length + 1)
    done.push(events.map(({ notice_id, type }) => `${names.get(notice_id)} ${type}`).at(-1) ?? '')
  }
  // Two days and a half may hold no business day: a copyright notice waits for its triage, or is overdue, by the calendar.
  expect(done.filter((line) => line !== 'copyright overdue')).toEqual([
    'child-safety overdue',
    'intimate-image overdue',
    'consent hidden',
  ])
  expect(['consent hidden', 'copyright overdue']).toContain(done.at(-1))
  const statuses = await app.db.selectFrom('items').select(['name', 'status']).orderBy('no').execute()
  expect(statuses).toEqual([
    { name: 'About privacy', status: 'published' },
    { name: 'About copyright', status: 'published' },
    { name: 'About consent', status: 'restricted' },
    { name: 'About intimate-image', status: 'restricted' },
    { name: 'About child-safety', status: 'restricted' },
  ])
  await drainJobs(app)
  const subjects = (await readEmails(app))
    .filter(({ to }) => to === 'officer@library.example')
    .map(({ subject }) => subject)
  expect(subjects.find((subject) => subject.startsWith('Overdue'))).toContain(made.at(-1)?.reference)
})
