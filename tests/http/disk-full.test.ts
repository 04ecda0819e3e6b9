import { sql } from 'kysely'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { importItems } from '../../src/features/catalogue/transfer/import-items.server.ts'
import { openImportFile } from '../../src/features/catalogue/transfer/import-file.server.ts'
import { drainJobs } from '../harness/drain.ts'
import { someItems } from '../harness/items.ts'
import { aMember, type MadeMember } from '../harness/members.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'
import { accountMails } from '../../src/features/accounts/account-mails.ts'

const megabyte = 1024 * 1024
/** With PostgreSQL the disk is its server's affair. */
const isEmbedded = inject('preparedDatabase').engine === 'embedded'

let free = 500 * megabyte
let member: MadeMember
let token: string
const logged: { level: string; message: string }[] = []

const server = serverOfFile({ freeBytes: () => Promise.resolve(free), jobs: true })

beforeAll(async () => {
  for (const level of ['warn', 'error', 'info'] as const) {
    server.app.log[level] = (...said: unknown[]) => void logged.push({ level, message: String(said.at(-1)) })
  }
  await someItems(server.app, [{ name: 'Poems', category: 'Literature', contentType: 'western' }])
  member = await aMember(server.app)
  token = await signIn()
})

async function post(path: string, body: unknown) {
  return server.call(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
}

async function signIn(): Promise<string> {
  const answer = await post('/auth/login', { email: member.email, password: member.password })
  return (answer.json() as { token: string }).token
}

async function setFree(megabytes: number): Promise<void> {
  free = megabytes * megabyte
  await server.app.diskSpace.look()
}

describe.skipIf(!isEmbedded)('A full disk', () => {
  test('refuses writes with 503 disk.full and Retry-After, while reads go on', async () => {
    await setFree(63)
    const refused = await post('/auth/register', {
      name: 'Jane',
      email: 'jane@readers.example',
      password: 'a quiet room',
    })
    expect(refused.status).toBe(503)
    expect(refused.headers['retry-after']).toBe('60')
    expect(refused.json()).toMatchObject({
      code: 'disk.full',
      message: expect.stringMatching(/^Nothing can be saved at the moment.*\.$/) as string,
    })
    expect((await server.search('contentType=western')).items.map(({ name }) => name)).toEqual(['Poems'])
    expect((await server.request('/western')).status).toBe(200)
  })

  test('answers with the page of an outage where a page would write, and with no link', async () => {
    await setFree(500)
    await someItems(server.app, [{ name: 'Prose', contentType: 'western', link: 'https://mega.nz/file/a#key' }])
    await setFree(63)
    // The first ticket of an installation writes the key that signs it.
    for (const method of ['HEAD', 'GET']) {
      const answer = await server.request('/go/prose/link', { method })
      expect(answer.status).toBe(503)
      expect(answer.headers['retry-after']).toBe('60')
      expect(answer.headers.location).toBeUndefined()
      if (method === 'GET') expect(answer.text).toContain('Nothing can be saved at the moment')
    }
  })

  test('takes who is signed in for who they are, also when their visit would be written down', async () => {
    await setFree(63)
    server.clock.advance(10 * 60_000)
    const status = await server.request('/auth/status', { headers: { authorization: `Bearer ${token}` } })
    expect(status.status).toBe(200)
  })

  test('is told by /readyz with the reason, and by one line when it begins and one when it is over', async () => {
    await setFree(500)
    logged.length = 0
    await setFree(63)
    await setFree(12)
    const ready = await server.request('/readyz')
    expect(ready.status).toBe(503)
    expect(ready.text).toMatch(/^The disk of \S+ is full: 12 MB are free, and Daybook writes nothing below \d+ MB\./)
    expect(ready.text).toContain('writes: refused')
    expect((await server.request('/healthz')).status).toBe(200)
    await setFree(500)
    expect((await server.request('/readyz')).status).toBe(200)
    expect(logged).toEqual([
      { level: 'error', message: expect.stringContaining('is full: 63 MB are free') as string },
      { level: 'info', message: 'There is room on the disk again: writes are accepted.' },
    ])
  })

  test('is over when there is room again, without a word from anybody', async () => {
    await setFree(10)
    expect((await post('/auth/login', { email: member.email, password: member.password })).status).toBe(503)
    free = 500 * megabyte
    // The write itself looks, once a second.
    await new Promise((wake) => setTimeout(wake, 1_100))
    expect((await post('/auth/login', { email: member.email, password: member.password })).status).toBe(200)
  })

  test('lets nobody write who was not thought of: the engine is read-only', async () => {
    await setFree(10)
    const written = server.app.db.updateTable('users').set({ name: 'Somebody' }).where('id', '=', member.id).execute()
    const error: unknown = await written.then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(server.app.diskSpace.explain(error)).toMatchObject({ code: 'disk.full', status: 503 })
  })

  test('keeps the jobs waiting without a line in the log, and they go on when there is room', async () => {
    await setFree(500)
    const { app } = server
    const emails = () => readdir(join(app.config.dataDir, 'mail')).catch(() => [])
    // Sign-ins without a cookie are those of new devices, which emails tell.
    await drainJobs(app)
    const sent = (await emails()).length
    await setFree(10)
    logged.length = 0
    // Longer than the jobs wait before they look again.
    await new Promise((wake) => setTimeout(wake, 6_000))
    expect(logged).toEqual([])
    await setFree(500)
    const welcome = { userId: member.id, email: member.email, name: 'Jane' }
    await app.db.transaction().execute((trx) => app.mail.queue(trx, accountMails.welcome, welcome))
    await expect.poll(emails, { timeout: 30_000 }).toHaveLength(sent + 1)
  })

  test('stops an upload in the middle, before the engine meets it', async () => {
    await setFree(500)
    const { app } = server
    const { email, password } = await aMember(app, { isAdmin: true })
    const { token: bearer } = (await post('/auth/login', { email, password })).json() as { token: string }
    const rows = Array.from({ length: 40_000 }, (_, i) => `reader${i}@readers.example,Reader ${i}`)
    const body = ['email,name', ...rows, ''].join('\n')
    const look = app.diskSpace.look.bind(app.diskSpace)
    let looks = 0
    app.diskSpace.look = () => {
      looks += 1
      if (looks === 4) free = 10 * megabyte
      return look()
    }
    try {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'text/csv' }
      const answer = await server.call('/api/member-imports', { method: 'POST', body, headers })
      expect(answer.status).toBe(503)
      expect(answer.json()).toMatchObject({ code: 'disk.full' })
    } finally {
      app.diskSpace.look = look
    }
    await setFree(500)
    const { rows: staged } = await sql<{
      count: number
    }>`select count(*)::int as count from member_import_rows`.execute(app.db)
    expect(staged[0]?.count).toBeLessThan(20_000)
  })

  test('stops an import after a whole batch', async () => {
    await setFree(500)
    const { app } = server
    const path = join(app.config.dataDir, 'catalogue.csv')
    const rows = Array.from({ length: 3_000 }, (_, i) => `Work ${i},Literature,western,https://mega.nz/${i},id-${i}`)
    await writeFile(path, ['name,category,contentType,link,externalId', ...rows, ''].join('\n'))
    const options = { publish: false, createCategories: true, dryRun: false }
    const stopped = importItems(app, await openImportFile(path), options, {
      onProgress: ({ tally }) => {
        if (tally.created === 2_000) free = 10 * megabyte
      },
    })
    await expect(stopped).rejects.toMatchObject({ code: 'disk.full' })
    const { count } = await app.db
      .selectFrom('items')
      .select((by) => by.fn.count<string>('id').as('count'))
      .where('external_id', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(2_000)
    await setFree(500)
  })
})

test.skipIf(!isEmbedded)('a start on a full disk says so, before anything is touched', async () => {
  await expect(openTestServer({ freeBytes: () => Promise.resolve(20 * megabyte) })).rejects.toThrow(
    /^The disk of \S+ is full: 20 MB are free, and Daybook writes nothing below 128 MB\. Make room there/,
  )
})
