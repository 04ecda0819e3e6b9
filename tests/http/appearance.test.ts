import sharp from 'sharp'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Appearance, AppearanceForAdmin } from '../../src/features/site/appearance/appearance-schema.ts'
import { noAppearance } from '../../src/features/site/appearance/appearance.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { someItems } from '../harness/items.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

const dayMs = 86_400_000

let admin: Record<string, string>

const server = serverOfFile({ now: '2024-03-05T12:00:00Z', env: { SITE_TIME_ZONE: 'UTC' } })

beforeAll(async () => {
  await someItems(server.app, [{ name: 'The Moonstone' }])
})
beforeEach(async () => {
  admin = bearer(await signIn(server, await aMember(server.app, { isAdmin: true, name: 'Ada Admin' })))
})

const read = async (): Promise<AppearanceForAdmin> =>
  (await server.request('/api/appearance', { headers: admin })).json() as AppearanceForAdmin
const put = (body: unknown): Promise<TestResponse> =>
  server.request('/api/appearance', {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...admin },
  })
/** After any earlier save. */
const save = async (change: Partial<Appearance> | null): Promise<TestResponse> =>
  put({ appearance: change === null ? null : { ...noAppearance, ...change }, version: (await read()).version })
const upload = (body: Buffer): Promise<TestResponse> =>
  server.request('/api/appearance/mark', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/octet-stream', ...admin },
  })
const html = async (path = '/western') => (await server.request(path)).text

test('begins with the looks of the house, of which no page says a word', async () => {
  expect(await read()).toMatchObject({ appearance: noAppearance, version: 0, changedAt: null })
  const { prices } = await read()
  expect(prices.map(({ price }) => price)).toEqual(['$12.00 a month', '$80.00 a year'])
  const page = await html()
  expect(page).not.toContain('appearance.css')
  expect(page).toContain('class="ribbon"')
})

test('what is saved is on the next page: colours by a style sheet, links, and an announcement without a script in its way', async () => {
  await html()
  const saved = await save({
    colours: { ...noAppearance.colours, western: '#00aa55' },
    links: [
      { label: 'Reading club', to: 'https://club.example/' },
      { label: 'House rules', to: '/terms' },
    ],
    banner: { text: 'New <b>shelves</b>', to: '/plans', from: '', until: '' },
  })
  expect(saved.status, saved.text).toBe(200)
  const page = await html()
  const [, sheet = ''] = /<link rel="stylesheet" href="(\/appearance\.css\?v=\w+)"/.exec(page) ?? []
  expect(page).toContain('href="https://club.example/"')
  expect(page).toMatch(/<a[^>]* href="\/terms"[^>]*>House rules/)
  expect(page).toContain('New &lt;b&gt;shelves&lt;/b&gt;')
  expect(page).not.toContain(' style=')
  const css = await server.request(sheet)
  expect([css.status, css.headers['content-type'], css.headers['cache-control']]).toEqual([
    200,
    'text/css; charset=utf-8',
    'public, max-age=86400',
  ])
  // No cache keeps it under the address of a sheet to come.
  expect((await server.request('/appearance.css?v=guessed')).headers['cache-control']).toBe('no-cache')
  expect(css.text).toMatch(/:root\{--color-western-tint:oklch/)
  expect(css.text).toMatch(/body\[data-closed="\w+"\] \.announcement\{display:none\}/)

  // Another save is another address.
  await save({ colours: { ...noAppearance.colours, western: '#1144ff' } })
  expect(await html()).not.toContain(sheet)
  expect(await html()).not.toContain('Reading club')
})

test('an announcement begins and ends with its days', async () => {
  await save({ banner: { text: 'Closed on Friday', to: '', from: '2024-03-06', until: '2024-03-06' } })
  expect(await html()).not.toContain('Closed on Friday')
  server.clock.advance(12 * 3_600_000)
  expect(await html()).toContain('Closed on Friday')
  server.clock.advance(dayMs)
  expect(await html()).not.toContain('Closed on Friday')
})

test('a mark is read and written anew, stands in the header, and goes with the defaults', async () => {
  const picture = await sharp({ create: { width: 400, height: 100, channels: 4, background: '#00aa5580' } })
    .png()
    .withMetadata({ exif: { IFD0: { Copyright: 'secret' } } })
    .toBuffer()
  const stored = await upload(picture)
  expect(stored.status, stored.text).toBe(200)
  const { mark } = stored.json() as { mark: string }
  expect(await html()).not.toContain('/marks/')
  expect((await save({ mark, hidesName: true })).status).toBe(200)
  const page = await html()
  expect(page).toContain(`src="/marks/${mark}.webp"`)
  expect(page).toMatch(/<span class="sr-only" dir="auto">Daybook/)
  const served = await server.request(`/marks/${mark}.webp`)
  expect([served.status, served.headers['content-type']]).toEqual([200, 'image/webp'])
  expect(served.headers['cache-control']).toContain('immutable')
  expect(served.text).not.toContain('secret')
  for (const path of ['/marks/x.webp', `/marks/${'0'.repeat(32)}.webp`, `/marks/${mark}.png`])
    expect((await server.request(path)).status).toBe(404)

  expect((await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).json()).toMatchObject({
    code: 'cover.kind',
  })
  expect((await save({ mark: '0'.repeat(32) })).json()).toMatchObject({ code: 'appearance.invalid', field: 'mark' })

  expect((await save(null)).json()).toMatchObject({ appearance: noAppearance, changedAt: null })
  expect(await html()).toContain('class="ribbon"')
  // Pictures that nobody saved go with a later save.
  server.clock.advance(2 * dayMs)
  admin = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
  await save(null)
  expect(await server.app.db.selectFrom('brand_marks').select('hash').execute()).toEqual([])
})

test('the second of two tabs is told, and loses nothing', async () => {
  const { version } = await read()
  const links = [{ label: 'First', to: '/plans' }]
  expect((await put({ version, appearance: { ...noAppearance, links } })).status).toBe(200)
  const late = await put({ version, appearance: noAppearance })
  expect(late.status).toBe(409)
  expect(late.json()).toMatchObject({
    code: 'appearance.conflict',
    current: { appearance: { links }, version: version + 1 },
  })
  expect((await put({ version: version + 1, appearance: noAppearance })).status).toBe(200)
})

test('what would be hard to see, or is no address, is refused at its field and changes nothing', async () => {
  const { version } = await read()
  for (const [field, change] of [
    ['colours.vip', { colours: { ...noAppearance.colours, vip: '#00ffcc' } }],
    ['colours.asian', { colours: { ...noAppearance.colours, asian: 'red}body{display:none' } }],
    ['links.0.to', { links: [{ label: 'Click', to: 'javascript:alert(1)' }] }],
    ['banner.until', { banner: { text: 'x', to: '', from: '2024-03-06', until: '2024-03-05' } }],
  ] as const) {
    const answer = await save(change as Partial<Appearance>)
    expect([answer.status, answer.json()]).toMatchObject([422, { code: 'appearance.invalid', field }])
  }
  expect((await put({ version, appearance: { ...noAppearance, script: 'x' } })).status).toBe(422)
  expect((await read()).version).toBe(version)
})

test('each save is in the audit log with what it changed, and the texts do not list it', async () => {
  await save({
    colours: { ...noAppearance.colours, asian: '#00aa55' },
    banner: { ...noAppearance.banner, text: 'Hello' },
  })
  const { events } = (await server.request('/api/audit?group=settings', { headers: admin })).json() as {
    events: { action: string; subject: unknown; details: Record<string, unknown> }[]
  }
  expect(events[0]).toMatchObject({
    action: 'settings.appearance_saved',
    subject: { words: 'the appearance', path: '/admin/appearance' },
    details: { asianColour: { before: '', after: '#00aa55' }, banner: { before: '', after: 'Hello' } },
  })
  expect(Object.keys(events[0]?.details ?? {})).not.toContain('links')
  const { texts } = (await server.request('/api/texts', { headers: admin })).json() as { texts: { key: string }[] }
  expect(texts.map(({ key }) => key)).not.toContain('site.appearance')
  const answer = await server.request('/api/texts/site.appearance', {
    method: 'PUT',
    body: JSON.stringify({ value: '{}', version: 0 }),
    headers: { 'content-type': 'application/json', ...admin },
  })
  expect(answer.status).toBe(404)
})
