import { sql } from 'kysely'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readEmails, waitForEmail } from '../../../tests/harness/emails.ts'
import { openPostOffice, type PostOffice, type Refusal } from '../../../tests/harness/post-office.ts'
import { openTestApp, type TestApp, type TestAppOptions } from '../../../tests/harness/test-app.ts'
import type { App } from '../../app/app.ts'
import { defineEmail, type EmailUrgency } from './email-kind.ts'
import { layOutEmail } from './email-layout.ts'
import type { Email } from './message.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const aKind = (name: string, urgency: EmailUrgency = 'usual') =>
  defineEmail(name, { urgency, purpose: 'work' }, z.looseObject({}))
const noteKind = aKind('note')

/** An application that knows emails of the kind `note`; without an `email` the data are the email. */
async function open(
  overrides: TestAppOptions = {},
  email: (data: Record<string, unknown>) => Email | undefined = (data) => ({ ...note, ...(data as Partial<Email>) }),
  closing = closers,
): Promise<TestApp> {
  const testApp = await openTestApp(overrides)
  closing.push(() => testApp.close())
  testApp.app.mail.register(noteKind, (data) => Promise.resolve(email(data as Record<string, unknown>)))
  return testApp
}

const note: Email = {
  to: { address: 'jane@readers.example', name: 'Jane Reader' },
  subject: 'A note',
  text: 'Good morning.\n',
  html: '<p>Good morning.</p>',
}

async function lineOf(app: App): Promise<string[]> {
  const found = await app.db
    .selectFrom('pgboss.job' as 'users')
    .select('state' as 'id')
    .where('name', '=', 'mail')
    .execute()
  return found.map((row) => (row as unknown as { state: string }).state)
}

async function openOffice(
  behaviour: Parameters<typeof openPostOffice>[0] = {},
  closing = closers,
): Promise<PostOffice> {
  const office = await openPostOffice(behaviour)
  closing.push(office.close)
  return office
}

describe('without a mail server', () => {
  test('an email is a file that only the operator can read, and a line in the log', async () => {
    const { app } = await open()
    const info = vi.spyOn(app.log, 'info')
    await app.mail.queue(app.db, noteKind, {})
    const email = await waitForEmail(app, { to: 'jane@readers.example' })
    expect(email).toMatchObject({ subject: 'A note', text: 'Good morning.\n', html: '<p>Good morning.</p>' })
    const folder = join(app.config.dataDir, 'mail')
    const names = await readdir(folder)
    expect(names).toEqual([expect.stringMatching(/^[-0-9a-f]{36}\.eml$/)])
    const file = join(folder, names[0] as string)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(info.mock.calls.map(([said]) => said)).toContainEqual({ file, subject: 'A note' })
    // A subject may be a notice's reference: nothing in the log says who it went to.
    expect(JSON.stringify(info.mock.calls)).not.toContain('jane@readers.example')
  })

  test('an email that is sent again after a stop in the middle takes the place of the first', async () => {
    const { app } = await open()
    await app.mail.queue(app.db, noteKind, {})
    await app.jobs.drain()
    expect(await lineOf(app)).toEqual(['completed'])
    await app.db
      .updateTable('pgboss.job' as 'users')
      .set({ state: 'created', completed_on: null } as never)
      .where('name', '=', 'mail')
      .execute()
    await app.jobs.drain()
    expect(await lineOf(app)).toEqual(['completed'])
    expect(await readEmails(app)).toHaveLength(1)
  })

  test('every email says that a machine wrote it, and which one it is', async () => {
    const { app } = await open({ env: { MAIL_FROM: 'The Reading Room <desk@library.example>' } })
    await app.mail.queue(app.db, noteKind, {})
    const { headers } = await waitForEmail(app, { to: 'jane@readers.example' })
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(headers.get('from')).toBe('The Reading Room <desk@library.example>')
    expect(headers.get('message-id')).toMatch(/^<[-0-9a-f]{36}\.[0-9a-f]{16}@library\.example>$/)
    expect(headers.get('date')).toBeDefined()
  })
})

test('an email that somebody can do nothing without is the next one, however many wait before it, then what is waited for', async () => {
  const { app } = await open()
  const written: unknown[] = []
  const note = (data: unknown) => {
    written.push((data as { name: string }).name)
    return Promise.resolve(undefined)
  }
  const resetKind = aKind('reset', 'needed')
  app.mail.register(resetKind, note)
  const welcomeKind = aKind('welcome', 'awaited')
  app.mail.register(welcomeKind, note)
  const inquiryKind = aKind('inquiry', 'usual')
  app.mail.register(inquiryKind, note)
  const newsKind = aKind('news', 'bulk')
  app.mail.register(newsKind, note)
  const many = (name: string) => Array.from({ length: 600 }, () => ({ name }))
  await app.mail.queueMany(app.db, newsKind, many('news'))
  await app.mail.queueMany(app.db, inquiryKind, many('inquiry'))
  await app.mail.queueMany(app.db, inquiryKind, [])
  await app.mail.queueMany(app.db, welcomeKind, many('welcome').slice(0, 100))
  await app.mail.queue(app.db, resetKind, { name: 'reset' })
  await app.jobs.drain()
  expect(written).toHaveLength(1_301)
  expect(written[0]).toBe('reset')
  expect(new Set(written.slice(1, 101))).toEqual(new Set(['welcome']))
  expect(new Set(written.slice(101, 701))).toEqual(new Set(['inquiry']))
  expect(new Set(written.slice(701))).toEqual(new Set(['news']))
}, 120_000)

describe('what comes from people', () => {
  /** One post office and one site for all, because each of these is quick. */
  let shared: { app: App; office: PostOffice }
  const closeShared: typeof closers = []
  beforeAll(async () => {
    const office = await openOffice({}, closeShared)
    const { app } = await open({ env: { SMTP_URL: office.url } }, undefined, closeShared)
    shared = { app, office }
  })
  afterAll(async () => {
    for (const close of closeShared.reverse()) await close()
  })

  test.each([
    ['a line break', 'Jane\r\nBcc: everyone@readers.example'],
    ['a bare line feed', 'Jane\nBcc: everyone@readers.example'],
    ['a line separator', 'Jane\u2028Bcc: everyone@readers.example'],
    ['a second mailbox', 'Jane <everyone@readers.example>, '],
    ['an encoded word', '=?utf-8?Q?Jane=0D=0ABcc:_everyone@readers.example?='],
  ])('cannot become a header or a recipient: %s in a name and a subject', async (_, text) => {
    const { app, office } = shared
    const address = `reader-${office.taken.length}@readers.example`
    await app.mail.queue(app.db, noteKind, { to: { address, name: text }, subject: text })
    await app.jobs.drain()
    expect(office.taken.at(-1)?.email.to).toBe(address)
    const one = office.taken.at(-1)
    expect(one?.to).toEqual([address])
    expect([...(one?.email.headers.keys() ?? [])].sort()).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
      'x-auto-response-suppress',
    ])
  })

  test.each([
    'jane@readers.example, everyone@readers.example',
    'jane@readers.example\r\nBcc: everyone@readers.example',
    'jane@readers.example> SIZE=1\r\nRCPT TO:<everyone@readers.example',
    '"jane"@readers.example',
    'jane',
    '',
  ])('is no email at all when the address is not one mailbox: %j', async (address) => {
    const { app, office } = shared
    const before = office.taken.length
    const error = vi.spyOn(app.log, 'error').mockImplementation(() => {})
    await app.mail.queue(app.db, noteKind, { to: { address } })
    await app.jobs.drain()
    expect(error.mock.calls).toEqual([
      [expect.objectContaining({ kind: 'note', to: address }), 'An email was refused for good.'],
    ])
    expect(new Set(await lineOf(app))).toEqual(new Set(['completed']))
    expect(office.taken).toHaveLength(before)
  })

  test('is refused without its kind in the log, where that is discreet: it would say who sent a notice', async () => {
    const { app } = shared
    const kind = defineEmail('notices.secret', { urgency: 'usual', purpose: 'work', isDiscreet: true }, z.object({}))
    app.mail.register(kind, () => Promise.resolve({ ...note, to: { address: 'jane' } }))
    const error = vi.spyOn(app.log, 'error').mockImplementation(() => {})
    await app.mail.queue(app.db, kind, {})
    await app.jobs.drain()
    expect(error).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ to: 'jane' }),
      'An email was refused for good.',
    )
    expect(JSON.stringify(error.mock.calls)).not.toContain('notices')
  })

  test('arrives whole in every script', async () => {
    const { app } = await open({ env: { BRAND_NAME: '紅樓夢 Bücherei' } })
    const name = '曹雪芹 Ærøskøbing מרים'
    await app.mail.queue(app.db, noteKind, {
      to: { address: 'jane@readers.example', name },
      subject: `${name} – ${'長'.repeat(80)}`,
      text: `${name} = 100 %\n`,
    })
    const email = await waitForEmail(app, { to: 'jane@readers.example' })
    expect(email.subject).toBe(`${name} – ${'長'.repeat(80)}`)
    expect(email.text).toBe(`${name} = 100 %\n`)
    expect(email.headers.get('to')).toContain(name)
    expect(email.headers.get('from')).toContain('紅樓夢 Bücherei')
  })

  test('is escaped in the HTML, and no address but the button and the site is a link', () => {
    const evil = '<img src=x onerror=alert(1)>"\'&'
    const content = { subject: evil, preview: evil, headline: evil, greeting: evil, reason: evil }
    const { html } = layOutEmail(
      {
        ...content,
        paragraphs: [evil],
        notes: [evil],
        button: { label: evil, url: 'https://library.example/?a=1&b="' },
      },
      { brandName: evil, publicUrl: 'https://library.example' },
    )
    expect(html).not.toContain('<img')
    expect(html.match(/&lt;img src=x onerror=alert\(1\)&gt;&quot;&#39;&amp;/g)).toHaveLength(9)
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)).toEqual([
      'https://library.example/?a=1&amp;b=&quot;',
      'https://library.example/?a=1&amp;b=&quot;',
      'https://library.example',
    ])
  })
})

describe('with a mail server', () => {
  test('an email goes out once, to the recipient alone, and no file is written', async () => {
    const office = await openOffice()
    const { app } = await open({ env: { SMTP_URL: office.url, MAIL_FROM: 'desk@library.example' } })
    for (let count = 0; count < 5; count += 1) await app.mail.queue(app.db, noteKind, { subject: `Note ${count}` })
    await app.jobs.drain()
    expect(await lineOf(app)).toEqual(Array(5).fill('completed'))
    expect(office.taken.map(({ email }) => email.subject)).toEqual(['Note 0', 'Note 1', 'Note 2', 'Note 3', 'Note 4'])
    expect(office.taken[0]).toMatchObject({ from: 'desk@library.example', to: ['jane@readers.example'] })
    expect(await readEmails(app)).toEqual([])
  })

  test.each([
    ['takes', false],
    ['refuses', true],
  ])(
    'a server that %s an email and quotes it leaves the secret of its link in no line and no fate',
    async (_, isRefused) => {
      const secret = 's3cret_-'.repeat(5)
      const says = `quoted #${secret}`
      const office = await openOffice({ receive: () => (isRefused ? { code: 550, says } : undefined), says })
      const { app } = await open({ env: { SMTP_URL: office.url } })
      const lines = ['info', 'warn', 'error'].map((level) => vi.spyOn(app.log, level as 'info').mockReturnValue())
      const fates: unknown[] = []
      app.mail.follow(async (fate) => void fates.push(fate))
      await app.mail.queue(app.db, noteKind, { text: `https://library.example/reset-password#${secret}` })
      await app.jobs.drain()
      const said = lines.map(({ mock }) => inspect(mock.calls, { depth: 9 })).join('\n')
      for (const each of [said, inspect(fates, { depth: 9 })]) {
        expect(each).toContain('quoted #***')
        expect(each).not.toContain(secret)
      }
    },
  )

  test.each([
    ['to the recipient', 'recipient', 450],
    ['to the email', 'receive', 451],
  ])('a temporary refusal %s is tried again', async (_, step, code) => {
    const refusals: Refusal[] = [{ code }]
    const office = await openOffice({ [step]: () => refusals.shift() })
    const { app } = await open({ env: { SMTP_URL: office.url } })
    const warn = vi.spyOn(app.log, 'warn').mockImplementation(() => {})
    await app.mail.queue(app.db, noteKind, {})
    await app.jobs.drain()
    expect(await lineOf(app)).toEqual(['retry'])
    await app.jobs.drain()
    expect(await lineOf(app)).toEqual(['completed'])
    expect(office.taken).toHaveLength(1)
    // A busy machine may have the queue warn of slow queries besides.
    const reported = warn.mock.calls.filter(([, words]) => words === 'A job failed and will be tried again.')
    expect(reported).toEqual([[expect.objectContaining({ job: 'mail', attempt: 1 }), expect.any(String)]])
  })

  test('a server that takes the email and hangs up before it says so is given the same Message-ID again', async () => {
    const ids: (string | undefined)[] = []
    const office = await openOffice({
      receive({ email }) {
        ids.push(email.headers.get('message-id'))
        if (ids.length === 1) office.hangUp()
        return undefined
      },
    })
    const { app } = await open({ env: { SMTP_URL: office.url } })
    vi.spyOn(app.log, 'warn').mockImplementation(() => {})
    await app.mail.queue(app.db, noteKind, {})
    await app.jobs.drain()
    expect(await lineOf(app)).toEqual(['retry'])
    await app.jobs.drain()
    expect(await lineOf(app)).toEqual(['completed'])
    expect(ids).toHaveLength(2)
    expect(ids[0]).toBe(ids[1])
  })

  test.each([
    ['to the recipient', 'recipient', 550],
    ['to the email', 'receive', 554],
  ])('a permanent refusal %s is logged and not tried again', async (_, step, code) => {
    let offers = 0
    const office = await openOffice({
      recipient() {
        offers += 1
        return step === 'recipient' ? { code } : undefined
      },
      receive: () => (step === 'receive' ? { code } : undefined),
    })
    const { app } = await open({ env: { SMTP_URL: office.url } })
    const error = vi.spyOn(app.log, 'error').mockImplementation(() => {})
    await app.mail.queue(app.db, noteKind, {})
    await app.jobs.drain()
    expect(await lineOf(app)).toEqual(['completed'])
    expect(error).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ kind: 'note', to: 'jane@readers.example' }),
      'An email was refused for good.',
    )
    expect(offers).toBe(1)
    expect(office.taken).toEqual([])
  })

  test('a server that is away, or does not know the password, keeps the emails waiting, and is told of in one line', async () => {
    const away = await open({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    const told = vi.spyOn(away.app.log, 'warn').mockImplementation(() => {})
    await away.app.mail.queueMany(away.app.db, noteKind, [{}, {}, {}])
    await away.app.jobs.drain()
    expect(await lineOf(away.app)).toEqual(['retry', 'retry', 'retry'])
    expect(told.mock.calls).toEqual([
      [
        { reason: expect.stringContaining('ECONNREFUSED') as string },
        'The mail server takes no emails. They wait, and are tried again.',
      ],
    ])

    const office = await openOffice({ refusesPasswords: true })
    const { app } = await open({ env: { SMTP_URL: office.url.replace('//', '//desk:secret-word@') } })
    const warn = vi.spyOn(app.log, 'warn').mockImplementation(() => {})
    await app.mail.queue(app.db, noteKind, {})
    await app.jobs.drain()
    expect(await lineOf(app)).toEqual(['retry'])
    expect(warn.mock.calls).toEqual([
      [{ reason: expect.any(String) as string }, 'The mail server takes no emails. They wait, and are tried again.'],
    ])
    expect(JSON.stringify(warn.mock.calls)).not.toContain('secret-word')
  })

  test('a server that is back is told of once, and an email that is given up meanwhile is told by itself', async () => {
    let isOpen = false
    const office = await openOffice({ greet: () => (isOpen ? undefined : { code: 421, says: 'closed' }) })
    const { app } = await open({ env: { SMTP_URL: office.url } })
    const [warn, error, info] = [vi.spyOn(app.log, 'warn'), vi.spyOn(app.log, 'error'), vi.spyOn(app.log, 'info')]
    for (const level of [warn, error]) level.mockImplementation(() => {})
    await app.mail.queueMany(app.db, noteKind, [{}, {}])
    await app.db
      .updateTable('pgboss.job' as 'users')
      .set({ retry_limit: 0 } as never)
      .where('id', '=', sql<string>`(select min(id::text)::uuid from pgboss.job where name = 'mail')`)
      .execute()
    await app.jobs.drain()
    expect((await lineOf(app)).toSorted()).toEqual(['failed', 'retry'])
    expect(warn).toHaveBeenCalledOnce()
    expect(error.mock.calls.map(([, words]) => words)).toEqual(['A job failed and is given up.'])
    isOpen = true
    await app.mail.queue(app.db, noteKind, {})
    await app.jobs.drain()
    expect((await lineOf(app)).toSorted()).toEqual(['completed', 'completed', 'failed'])
    const back = info.mock.calls.filter(([, words]) => words === 'The mail server takes emails again.')
    expect(back).toEqual([[{ seconds: expect.any(Number) as number, failures: 2 }, expect.any(String)]])
  })
})

test('an email is sent if and only if the transaction of its cause commits', async () => {
  const { app } = await open()
  await app.db
    .transaction()
    .execute(async (trx) => {
      await app.mail.queue(trx, noteKind, { subject: 'Never' })
      throw new Error('changed my mind')
    })
    .catch(() => {})
  await app.db.transaction().execute((trx) => app.mail.queue(trx, noteKind, { subject: 'Sent' }))
  await waitForEmail(app, { to: 'jane@readers.example' })
  await app.jobs.drain()
  expect(await lineOf(app)).toEqual(['completed'])
  expect((await readEmails(app)).map(({ subject }) => subject)).toEqual(['Sent'])
})

test('when there is nobody to write to, nothing is sent', async () => {
  const { app } = await open({}, () => undefined)
  await app.mail.queue(app.db, noteKind, {})
  await app.jobs.drain()
  expect(await lineOf(app)).toEqual(['completed'])
  expect(await readEmails(app)).toEqual([])
})

test('a kind of email that nobody registered is refused at once', async () => {
  const { app } = await open()
  await expect(app.mail.queue(app.db, aKind('valentine'), {})).rejects.toThrow(
    'There are no emails of the kind valentine.',
  )
  expect(await lineOf(app)).toEqual([])
  const file = await readFile(join(app.config.dataDir, 'mail'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => error.code,
  )
  expect(file).toBe('ENOENT')
})
