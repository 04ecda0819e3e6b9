import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountContributions } from '../../src/features/accounts/contributions.server.ts'
import { membershipContributions } from '../../src/features/membership/contributions.server.ts'
import type { SiteTextForAdmin, SiteTextsForAdmin } from '../../src/features/office/texts/texts-schema.ts'
import { readEmails } from '../harness/emails.ts'
import { drainJobs } from '../harness/drain.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { fromHtml } from '../harness/rendered.ts'
import type { TestResponse } from '../harness/request.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let admin: { authorization: string }

beforeAll(async () => {
  const termsFile = join(tmpdir(), `terms-${process.pid}.txt`)
  await writeFile(termsFile, '# Our house\n\nBe kind.\n')
  server = await openTestServer({
    env: { BRAND_NAME: 'The Reading Room', TERMS_FILE: termsFile, COMMUNITY_URL: 'https://community.example/' },
  })
  admin = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
  await someItems(server.app, [{ name: 'The Moonstone' }])
})
afterAll(() => server.close())

const texts = async (): Promise<SiteTextForAdmin[]> =>
  ((await server.request('/api/texts', { headers: admin })).json() as SiteTextsForAdmin).texts
const textOf = async (key: string): Promise<SiteTextForAdmin> => {
  const found = (await texts()).find((text) => text.key === key)
  if (found === undefined) throw new Error(`There is no text ${key}.`)
  return found
}
const save = (key: string, body: unknown, headers = admin): Promise<TestResponse> =>
  server.request(`/api/texts/${key}`, {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
/** After any earlier save. */
const put = async (key: string, value: string | null): Promise<SiteTextForAdmin> => {
  const answer = await save(key, { value, version: (await textOf(key)).version })
  expect(answer.status, answer.text).toBe(200)
  return answer.json() as SiteTextForAdmin
}
const page = async (path: string) => fromHtml((await server.request(path)).text)

test('every text begins with the environment, a file, or the words of the software', async () => {
  const all = new Map((await texts()).map((text) => [text.key, text]))
  expect(all.get('brand.name')).toMatchObject({ value: 'The Reading Room', isChanged: false, version: 0 })
  expect(all.get('contact.community')).toMatchObject({ value: 'https://community.example/' })
  expect(all.get('legal.terms')).toMatchObject({ value: '# Our house\n\nBe kind.' })
  expect(all.get('legal.privacy')?.value).toContain('What The Reading Room stores about you')
  expect(all.get('brand.line')).toMatchObject({ value: 'premium content platform', isOptional: true })
  expect([...all.keys()].sort()).toEqual([
    'access.denied',
    'agent.address',
    'agent.name',
    'agent.organization',
    'agent.phone',
    'agent.registration',
    'agent.repeated',
    'agent.until',
    'brand.line',
    'brand.name',
    'contact.community',
    'contact.dmca',
    'contact.email',
    'contact.vips',
    'legal.privacy',
    'legal.terms',
    'plans.annual',
    'plans.comparison',
    'plans.free',
    'plans.monthly',
    'plans.reasons',
    'vip.benefits',
    'vip.upgrade',
  ])
})

test.each([
  ['brand.name', 'The New Room', '/'],
  ['brand.line', 'works for everybody', '/western'],
  ['plans.monthly', 'One shelf\nTwo shelves', '/plans'],
  ['plans.annual', 'All of a month\nA quiet year', '/plans'],
  ['vip.upgrade', 'Everything at once', '/western/the-moonstone'],
  ['plans.comparison', 'Reading room | no | yes | yes\nTea | no | no | Every day', '/plans'],
  ['legal.privacy', '# What we keep\n\nNothing.', '/privacy'],
  ['contact.community', 'https://elsewhere.example/', '/'],
  ['contact.dmca', 'rights@library.example', '/western'],
  ['contact.email', 'desk@library.example', '/support'],
  ['agent.organization', 'The Library of Alexandria', '/dmca'],
  ['agent.repeated', 'Three times, and never again.', '/dmca'],
])('a changed %s is on kept pages with the next request', async (key, value, path) => {
  const shown = value.split(/\n|\| /).at(-1) ?? ''
  const before = await server.request(path)
  expect(before.text).not.toContain(shown)
  // Kept by then.
  await server.request(path)
  const saved = await put(key, value)
  expect(saved).toMatchObject({ value, isChanged: true })
  expect((await server.request(path)).text).toContain(shown)
  await put(key, null)
  expect((await server.request(path)).text).not.toContain(shown)
})

test('features of free access after the fourth are struck through', async () => {
  await put('plans.free', 'a one\na two\na three\na four\na fifth')
  const { html } = await page('/plans')
  expect(html).toContain('<s>a fifth</s>')
  expect(html).not.toContain('<s>a four</s>')
  await put('plans.free', null)
})

test('terms of their own are no draft any more; the first ones come back as they were', async () => {
  const drafts = (html: string): number => html.split('This text is a draft').length - 1
  expect(drafts((await page('/privacy')).html)).toBe(1)
  await put('legal.privacy', 'We keep nothing.')
  expect(drafts((await page('/privacy')).html)).toBe(0)
  const first = await put('legal.privacy', null)
  expect(first).toMatchObject({ isChanged: false, value: first.firstValue })
  expect(drafts((await page('/privacy')).html)).toBe(1)
})

test('the first steps of a new site say whether its name and its terms are its own', async () => {
  const { app } = server
  const named = accountContributions.adminHome?.firstSteps?.find(({ order }) => order === 10)
  const written = membershipContributions.adminHome?.firstSteps?.find(({ order }) => order === 50)
  expect(await named?.read(app)).toMatchObject({ isDone: true, help: 'It is called The Reading Room.' })
  await put('legal.terms', 'Be kind.')
  expect(await written?.read(app)).toMatchObject({
    isDone: false,
    help: 'Still drafts of the software: Privacy Policy.',
  })
  await put('brand.name', 'Daybook')
  await put('legal.privacy', 'We keep nothing.')
  expect(await named?.read(app)).toMatchObject({ isDone: false })
  expect(await written?.read(app)).toMatchObject({ isDone: true })
  await put('brand.name', null)
  await put('legal.terms', null)
  await put('legal.privacy', null)
})

test('emails are sent under the new name', async () => {
  await put('brand.name', 'The Renamed Room')
  await post(server, '/auth/register', {
    name: 'Ada',
    email: 'ada@readers.example',
    password: 'a quiet reading room',
  })
  await drainJobs(server.app)
  const mail = (await readEmails(server.app)).at(-1)
  expect(mail?.subject).toBe('Welcome to The Renamed Room')
  expect(mail?.headers.get('from')).toContain('The Renamed Room')
  await put('brand.name', null)
})

test('another instance shows it as soon as it follows the change', async () => {
  const { texts } = server.app
  const saved = await texts.readSaved(server.app.db)
  expect(saved.get('brand.name')?.value).toBeNull()
  // As another instance would write it: this process learns of it from the change feed alone.
  await server.app.db
    .updateTable('site_texts')
    .set({ value: 'From Elsewhere', version: 100 })
    .where('key', '=', 'brand.name')
    .execute()
  await server.app.listing.catchUp()
  expect(server.app.texts.inForce.brandName).toBe('From Elsewhere')
  expect((await server.request('/')).text).toContain('From Elsewhere')
  await put('brand.name', null)
})

test('nothing in a text is markup', async () => {
  await put('legal.privacy', '<script>alert(1)</script>\n\n- <b>bold</b>')
  const { text } = await server.request('/plans')
  expect(text).not.toContain('<script>alert(1)')
  expect(text).not.toContain('<b>bold')
  await put('legal.privacy', null)
})

test('of two who save at once, one is told what the other has saved', async () => {
  const { version } = await put('access.denied', 'Members only.')
  const answers = await Promise.all(['One', 'Two', 'Three'].map((value) => save('access.denied', { value, version })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  const saved = answers.find(({ status }) => status === 200)?.json() as SiteTextForAdmin
  for (const refused of answers.filter(({ status }) => status === 409))
    expect(refused.json()).toMatchObject({
      code: 'text.conflict',
      current: { value: saved.value, version: version + 1 },
    })
  // The version goes on when the first text is put back: an old edit is still an old one.
  await put('access.denied', null)
  expect((await save('access.denied', { value: 'Late', version: 0 })).status).toBe(409)
})

test('every change stands in the audit log, with the text before and after, a long one by its beginning and hash', async () => {
  const { value: before } = await textOf('brand.line')
  await put('brand.line', 'a line of their own')
  await put('brand.line', null)
  const long = 'x'.repeat(5_000)
  await put('legal.terms', long)
  await put('legal.terms', null)
  const events = await server.app.db
    .selectFrom('audit_events')
    .select(['action', 'subject_id', 'details'])
    .where('subject', '=', 'setting')
    .orderBy('id')
    .execute()
  expect(events.slice(-4).map(({ details }) => details)).toMatchObject([
    { before, after: 'a line of their own', isFirstValue: false },
    { before: 'a line of their own', after: before, isFirstValue: true },
    { after: expect.stringMatching(/^x{1000}… \(5,000 characters, SHA-256 [0-9a-f]{64}\)$/) },
    { before: expect.stringMatching(/^x{1000}… /) },
  ])
})

test('administrators and the old address are told of a new address that people write to, but not of the same one', async () => {
  const head = await aMember(server.app, { isAdmin: true, email: 'head@library.example' })
  // Those of the tests above count as a flood.
  await server.app.db.deleteFrom('grave_acts').execute()
  const sent = async () => {
    await drainJobs(server.app)
    return (await readEmails(server.app)).filter(({ subject }) => subject.startsWith('An address of the site'))
  }
  const before = (await sent()).length
  // Nobody reads at the address of an installation that has set none.
  await put('contact.email', 'desk@library.example')
  const first = (await sent()).slice(before)
  expect(first.map(({ to }) => to)).toContain(head.email)
  expect(first.map(({ to }) => to)).not.toContain('contact@example.org')
  const toHead = first.find(({ to }) => to === head.email)?.text.replaceAll(/\s+/g, ' ')
  expect(toHead).toMatch(
    /changed the text 'Contact address' from contact@example\.org to desk@library\.example, on \w+ \d+, \d{4} at /,
  )
  await put('contact.email', 'desk@library.example')
  expect(await sent()).toHaveLength(before + first.length)
  await put('contact.email', 'elsewhere@readers.example')
  const second = (await sent()).slice(before + first.length)
  const toOld = second.filter(({ to }) => to === 'desk@library.example')
  expect(toOld).toHaveLength(1)
  expect(toOld[0]?.text.replaceAll(/\s+/g, ' ')).toContain('from desk@library.example to elsewhere@readers.example')
  expect(second).toHaveLength(first.length + 1)
  await put('contact.dmca', 'rights@library.example')
  expect((await sent()).at(-1)?.text).toContain('Address for copyright notices')
  for (const key of ['contact.email', 'contact.dmca']) await put(key, null)
})

describe('a text is refused', () => {
  test.each([
    ['brand.name', ' ', 'Name of the site is required.'],
    ['brand.name', 'x'.repeat(61), 'Name of the site has at most 60 characters.'],
    ['brand.name', 'a\u202eb', 'Name of the site holds characters that cannot be shown.'],
    ['contact.email', 'nobody', 'Contact address must be an email address like desk@library.example.'],
    ['contact.community', 'javascript:alert(1)', 'Community link must be an http or https address.'],
    ['contact.community', 'https:evil.example', 'Community link must be an http or https address.'],
    ['contact.community', 'https://a:b@c.example/', 'Community link must be an http or https address.'],
    ['plans.free', 'x'.repeat(81), 'A line has at most 80 characters.'],
    [
      'plans.free',
      Array.from({ length: 13 }, (_, i) => `line ${i}`).join('\n'),
      'Features of free access has at most 12 lines.',
    ],
    ['legal.terms', 'x'.repeat(40_001), 'Terms of Service has at most 40,000 characters.'],
  ])('as %s when it is %j', async (key, value, message) => {
    const answer = await save(key, { value, version: (await textOf(key)).version })
    expect([answer.status, answer.json()]).toEqual([422, expect.objectContaining({ message, field: 'value' })])
  })

  test('where there is none of this key, or the body says more', async () => {
    expect((await save('brand.colour', { value: 'x', version: 0 })).status).toBe(404)
    expect((await save('brand.name', { value: 'x', version: 0, role: 'admin' })).status).toBe(422)
    expect((await save('brand.name', { value: 'x' })).status).toBe(422)
  })
})
