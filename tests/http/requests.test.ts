import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type {
  ItemChoices,
  OpenRequests,
  RequestForAdmin,
  RequestForMember,
  RequestsForMember,
  SimilarToTitle,
} from '../../src/features/requests/content-requests/request-schema.ts'
import { anonymous } from '../../src/features/office/viewer/viewer.ts'
import { notifyVoters } from '../../src/features/requests/content-requests/notify-voters.server.ts'
import { requestsContributions } from '../../src/features/requests/contributions.server.ts'
import { cpuMsOfAsync } from '../harness/cpu-time.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails } from '../harness/emails.ts'
import { type MadeItem, someItems } from '../harness/items.ts'
import {
  aGrant,
  aMember,
  aSignedInMember,
  bearer,
  type MadeMember,
  type MemberOverrides,
  post,
  type SignedIn,
  signIn,
} from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

const dayMs = 86_400_000

let administrator: MadeMember
let admin: { authorization: string }
let free: MadeItem
let secret: MadeItem
let coming: MadeItem

/** Their account is two days old: those of the first day are counted by their address as well. */
async function aCaller(overrides: MemberOverrides = {}): Promise<SignedIn> {
  const caller = await aFreshCaller(overrides)
  const created_at = new Date(server.clock.now() - 2 * dayMs)
  await server.app.db.updateTable('users').set({ created_at }).where('id', '=', caller.id).execute()
  return caller
}

const aFreshCaller = (overrides: MemberOverrides = {}): Promise<SignedIn> => aSignedInMember(server, overrides)

let titles = 0
const aTitle = (): string => `The wanted work ${(titles += 1)} ${titles * 7_919}`
const submit = (by: SignedIn, title = aTitle(), description = 'Please.'): Promise<TestResponse> =>
  post(server, '/recommendations', { title, description }, by.headers)
const made = async (by: SignedIn, title?: string): Promise<RequestForMember> =>
  (await submit(by, title)).json() as RequestForMember
const vote = (by: SignedIn, id: string, method = 'PUT'): Promise<TestResponse> =>
  server.request(`/recommendations/${id}/vote`, { method, headers: by.headers })
const decide = (id: string, verb: 'approve' | 'reject', headers = admin): Promise<TestResponse> =>
  server.request(`/recommendations/${id}/${verb}`, { method: 'POST', headers })
const link = (id: string, itemId: string, headers = admin): Promise<TestResponse> =>
  server.request(`/recommendations/${id}/item`, {
    method: 'PUT',
    body: JSON.stringify({ itemId }),
    headers: { 'content-type': 'application/json', ...headers },
  })
const read = async <T>(path: string, headers = admin): Promise<T> => {
  const answer = await server.request(path, { headers })
  expect(answer.status, answer.text).toBe(200)
  return answer.json() as T
}
const mailsTo = async ({ email }: SignedIn) =>
  (await readEmails(server.app)).filter(({ to, subject }) => to === email && subject.includes('was fulfilled'))

const server = serverOfFile()

beforeAll(async () => {
  administrator = await aMember(server.app, { isAdmin: true })
  await passTime(0)
  const items = await someItems(server.app, [
    { name: 'The Moonstone' },
    { name: 'The hidden shelf', contentType: 'vip-western', category: 'VIP Content' },
    { name: 'Next year', postDate: '2025-01-01T00:00:00Z' },
  ])
  ;[free, secret, coming] = items as [MadeItem, MadeItem, MadeItem]
})

/** Sessions end meanwhile. */
async function passTime(ms: number): Promise<void> {
  server.clock.advance(ms)
  admin = bearer(await signIn(server, administrator))
}

describe('a member', () => {
  let reader: SignedIn
  beforeEach(async () => {
    reader = await aCaller()
  })

  test('asks for something, which is their vote, and finds it among their own', async () => {
    const answer = await submit(reader, '  A   Study in\nScarlet ', ' In English.\r\nOr French. ')
    expect(answer.status).toBe(201)
    expect(answer.headers['cache-control']).toContain('no-store')
    const request = answer.json() as RequestForMember
    expect(request).toMatchObject({
      title: 'A Study in Scarlet',
      description: 'In English.\nOr French.',
      status: 'pending',
      votes: 1,
      isOwn: true,
      hasVoted: true,
      item: null,
    })
    expect((await read<RequestsForMember>('/recommendations/mine', reader.headers)).requests).toEqual([request])
  })

  test.each(['A STUDY IN SEPIA', 'a study, in sépia!'])(
    'who asks for %j asks for what is asked already: it is a vote',
    async (title) => {
      const first = await made(await aCaller(), 'A Study in Sepia')
      const answer = await submit(reader, title)
      expect(answer.status).toBe(200)
      expect(answer.json()).toMatchObject({ id: first.id, title: 'A Study in Sepia', isOwn: false, hasVoted: true })
    },
  )

  test('whose address is not confirmed votes, and it counts once they confirm', async () => {
    const { id } = await made(await aCaller())
    const late = await aCaller({ isUnconfirmed: true })
    expect(await vote(late, id)).toMatchObject({ status: 200 })
    expect((await vote(late, id)).json()).toMatchObject({ votes: 1, hasVoted: true, counts: false })
    const own = (await submit(late, 'A Book Nobody Has')).json() as RequestForMember
    expect(own).toMatchObject({ votes: 0, isOwn: true, hasVoted: true, counts: false })
    const votesOf = async () =>
      (
        await server.app.db
          .selectFrom('content_requests')
          .select('votes')
          .where('id', 'in', [id, own.id])
          .orderBy('id')
          .execute()
      ).map(({ votes }) => votes)
    expect(await votesOf()).toEqual([1, 0])
    const confirmAt = (at: Date | null) =>
      server.app.db.updateTable('users').set({ email_confirmed_at: at }).where('id', '=', late.id).execute()
    await confirmAt(new Date())
    expect(await votesOf()).toEqual([2, 1])
    expect((await vote(late, id)).json()).toMatchObject({ votes: 2, hasVoted: true, counts: true })
    // However often it is confirmed.
    await confirmAt(new Date())
    expect(await votesOf()).toEqual([2, 1])
    expect((await vote(late, id, 'DELETE')).json()).toMatchObject({ votes: 1, hasVoted: false, counts: true })
    await vote(late, id)
    await confirmAt(null)
    expect(await votesOf()).toEqual([1, 0])
    expect((await vote(late, id, 'DELETE')).json()).toMatchObject({ votes: 1, hasVoted: false, counts: false })
  })

  test('has one vote, which can be taken back, but not the one that is their own request', async () => {
    const { id } = await made(await aCaller())
    expect((await vote(reader, id)).json()).toMatchObject({ votes: 2, hasVoted: true })
    expect((await vote(reader, id)).json()).toMatchObject({ votes: 2, hasVoted: true })
    expect((await vote(reader, id, 'DELETE')).json()).toMatchObject({ votes: 1, hasVoted: false })
    expect((await vote(reader, id, 'DELETE')).json()).toMatchObject({ votes: 1, hasVoted: false })
    const own = await made(reader)
    const refused = await vote(reader, own.id, 'DELETE')
    expect([refused.status, refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'recommendation.own_vote' }),
    ])
  })

  test('votes fifty times at once and has one vote', async () => {
    const { id } = await made(await aCaller())
    const answers = await Promise.all(Array.from({ length: 50 }, () => vote(reader, id)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const votes = await server.app.db.selectFrom('request_votes').selectAll().where('request_id', '=', id).execute()
    expect(votes).toHaveLength(2)
    expect(await server.app.db.selectFrom('content_requests').select('votes').where('id', '=', id).execute()).toEqual([
      { votes: 2 },
    ])
  })

  test('and nine others who ask for the same at once make one request with ten votes', async () => {
    const callers = await Promise.all(Array.from({ length: 10 }, () => aCaller()))
    const title = aTitle()
    const answers = await Promise.all(callers.map((caller) => submit(caller, title)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const ids = new Set(answers.map((answer) => (answer.json() as RequestForMember).id))
    expect(ids.size).toBe(1)
    const open = await server.app.db.selectFrom('content_requests').select('votes').where('title', '=', title).execute()
    expect(open).toEqual([{ votes: 10 }])
  })

  test('makes ten new requests a day, also when all come at once; votes go on', async () => {
    const other = await made(await aCaller())
    const answers = await Promise.all(Array.from({ length: 14 }, () => submit(reader)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.json()).toMatchObject({ code: 'recommendation.daily_limit' })
    expect(Number(refused?.headers['retry-after'])).toBe(dayMs / 1_000)
    expect((await vote(reader, other.id)).status).toBe(200)
    await passTime(dayMs)
    const later = bearer(await signIn(server, reader))
    expect((await submit({ ...reader, headers: later })).status).toBe(201)
  })

  test('whose account is of today shares twenty new requests a day with such accounts at their address', async () => {
    await passTime(dayMs)
    const accounts = await Promise.all(Array.from({ length: 3 }, () => aFreshCaller()))
    const [first, second, third] = accounts as [SignedIn, SignedIn, SignedIn]
    const taken = await made(first)
    for (let i = 0; i < 9; i += 1) expect((await submit(first)).status).toBe(201)
    // Neither what is refused nor what turns out to be a vote is a new request.
    expect((await submit(second, 'See elsewhere.com')).status).toBe(422)
    expect((await submit(second, taken.title)).status).toBe(200)
    for (let i = 0; i < 10; i += 1) expect((await submit(second)).status).toBe(201)
    const refused = await submit(third)
    expect([refused.status, refused.json()]).toMatchObject([429, { code: 'limit.exceeded' }])
    expect((await vote(third, taken.id)).status).toBe(200)
    expect((await submit(await aCaller())).status).toBe(201)
    await passTime(dayMs)
    expect((await submit({ ...third, headers: bearer(await signIn(server, third)) })).status).toBe(201)
  })

  test('is offered what is there already for what they type: at most three entries, of those that they may see', async () => {
    const works = await someItems(server.app, [
      { name: 'Война и мир', creators: 'Лев Толстой', contentType: 'western', slug: 'voina-i-mir' },
      { name: 'Tolstoy on Art', contentType: 'vip-western', slug: 'tolstoy-on-art' },
    ])
    const offered = async (title: string, by: SignedIn) =>
      (await read<SimilarToTitle>(`/recommendations/similar?title=${encodeURIComponent(title)}`, by.headers)).items
    expect(works).toHaveLength(2)
    for (const title of ['tolstoy', 'tolstoi'])
      expect(await offered(title, reader)).toEqual([
        { name: 'Война и мир', creators: 'Лев Толстой', path: '/western/voina-i-mir' },
      ])
    expect((await offered('tolstoy', await aCaller({ isVip: true }))).map(({ path }) => path)).toEqual([
      '/vip-western/tolstoy-on-art',
      '/western/voina-i-mir',
    ])
    expect(await offered('tolstoy xylophone', reader)).toEqual([])
    await someItems(
      server.app,
      ['I', 'II', 'III', 'IV'].map((volume) => ({ name: `Xylophones ${volume}` })),
    )
    expect(await offered('xylophones', reader)).toHaveLength(3)
  })

  test('is shown open requests that are like what they type, and no closed ones', async () => {
    const writer = await aCaller()
    const alike = await made(writer, 'Journey to the Centre of the Earth')
    const rejected = await made(writer, 'Journey to the Centre of the Moon')
    await decide(rejected.id, 'reject')
    const title = encodeURIComponent('jorney to the center')
    const { requests } = await read<RequestsForMember>(`/recommendations/similar?title=${title}`, reader.headers)
    expect(requests.map(({ id }) => id)).toEqual([alike.id])
    expect((await read<RequestsForMember>('/recommendations/similar?title=qqqq', reader.headers)).requests).toEqual([])
  })

  test.each([
    [{ title: ' ' }, 'title', 'Title is required'],
    [{ title: '\u200b' }, 'title', 'Title is required'],
    [{ title: 'x'.repeat(121) }, 'title', 'The title has at most 120 characters.'],
    [{ title: 'x', description: 'x'.repeat(2_001) }, 'description', 'The description has at most 2,000 characters.'],
    [{ title: 7 }, 'title', 'The field title must be a text.'],
    [{ title: 'x', status: 'approved' }, undefined, 'Send title and description, and nothing else.'],
    [{ title: 'x', votes: 99 }, undefined, 'Send title and description, and nothing else.'],
    [{ title: 'x', createdAt: '2020-01-01T00:00:00Z' }, undefined, 'Send title and description, and nothing else.'],
  ])('who sends %j is refused', async (body, field, message) => {
    const answer = await post(server, '/recommendations', body, reader.headers)
    expect(answer.status).toBe(422)
    expect(answer.json()).toMatchObject({ message, ...(field === undefined ? {} : { field }) })
  })

  test.each([
    ['title', 'Get it at elsewhere.com', 'holds a web address. Leave it out'],
    ['description', 'Here: https://elsewhere.example/file', 'holds a web address. Leave it out'],
    ['title', 'The L3aked tapes', "holds the prohibited term 'L3aked'. Only material that is cleared"],
    ['description', 'The ｌｅａｋｅｄ one', "holds the prohibited term 'ｌｅａｋｅｄ'. Only material that is cleared"],
  ])('whose %s is %j is refused, and is told what to do', async (field, text, sentence) => {
    await sql`insert into prohibited_terms (term_folded) values ('leaked') on conflict do nothing`.execute(
      server.app.db,
    )
    const body = { title: aTitle(), description: 'Please.', [field]: text }
    const answer = await post(server, '/recommendations', body, reader.headers)
    expect([answer.status, answer.json()]).toMatchObject([422, { code: 'recommendation.invalid', field }])
    expect((answer.json() as { message: string }).message).toContain(`The ${field} ${sentence}`)
    expect((await read<RequestsForMember>('/recommendations/mine', reader.headers)).requests).toEqual([])
  })

  test.each([
    ['title', '㌖'.repeat(120)],
    ['description', '㌖'.repeat(2_000)],
  ])('whose %s is too long once it is written out is refused at once', async (field, text) => {
    const body = { title: aTitle(), description: 'Please.', [field]: text }
    const spentMs = await cpuMsOfAsync(async () => {
      const answer = await post(server, '/recommendations', body, reader.headers)
      expect([answer.status, answer.json()]).toMatchObject([422, { code: 'recommendation.invalid', field }])
    })
    expect(spentMs).toBeLessThan(1_000)
  })

  test('sends sixty an hour, with those that are refused', async () => {
    for (let i = 0; i < 60; i += 1) expect((await submit(reader, 'See elsewhere.com')).status).toBe(422)
    const refused = await submit(reader)
    expect([refused.status, refused.json()]).toMatchObject([429, { code: 'limit.exceeded' }])
  })

  test('who has made ten today is told so, before what they write is looked through', async () => {
    for (let i = 0; i < 10; i += 1) await made(reader)
    const refused = await submit(reader, 'See elsewhere.com')
    expect([refused.status, refused.json()]).toMatchObject([429, { code: 'recommendation.daily_limit' }])
  })

  test('finds their own requests among their own, and not among those of others', async () => {
    const own = await made(reader)
    const others = await made(await aCaller())
    const { requests } = await read<OpenRequests>('/recommendations/open', reader.headers)
    expect(requests.map(({ id }) => id)).toContain(others.id)
    expect(requests.map(({ id }) => id)).not.toContain(own.id)
  })

  test('reads the open requests in parts, those that most want first, each once', async () => {
    const { db } = server.app
    await sql`delete from content_requests`.execute(db)
    const writers = await Promise.all(Array.from({ length: 6 }, () => aCaller()))
    for (const writer of writers) for (let i = 0; i < 10; i += 1) await made(writer)
    const wanted = await made(await aCaller(), 'What many want')
    for (const writer of writers) await vote(writer, wanted.id)
    const first = await read<OpenRequests>('/recommendations/open', reader.headers)
    expect(first.requests).toHaveLength(50)
    expect(first.requests[0]).toMatchObject({ id: wanted.id, votes: 7 })
    const rest = await read<OpenRequests>(`/recommendations/open?after=${first.next}`, reader.headers)
    expect(rest.requests).toHaveLength(11)
    expect(rest.next).toBeNull()
    expect(new Set([...first.requests, ...rest.requests].map(({ id }) => id)).size).toBe(61)
    expect((await server.request('/recommendations/open?after=7', { headers: reader.headers })).status).toBe(400)
  })
})

describe('an administrator', () => {
  let reader: SignedIn
  beforeEach(async () => {
    reader = await aCaller()
  })

  test('reads all requests as an array, the newest first, by status and in parts', async () => {
    const older = await made(reader)
    const newer = await made(reader)
    await decide(older.id, 'reject')
    const all = await read<RequestForAdmin[]>('/recommendations')
    expect(all.slice(0, 2)).toMatchObject([
      { id: newer.id, status: 'pending', votes: 1, decidedAt: null },
      { id: older.id, status: 'rejected' },
    ])
    expect(JSON.stringify(all)).not.toContain(reader.email)
    expect((await read<RequestForAdmin[]>('/recommendations?status=rejected&limit=1'))[0]?.id).toBe(older.id)
    expect((await read<RequestForAdmin[]>(`/recommendations?before=${newer.id}&limit=1`))[0]?.id).toBe(older.id)
    for (const query of ['status=open', 'limit=0', 'limit=1001', 'before=x'])
      expect((await server.request(`/recommendations?${query}`, { headers: admin })).status, query).toBe(400)
  })

  test('approves a request, and the second one is told what it is', async () => {
    const { id } = await made(reader)
    const first = await decide(id, 'approve')
    expect([first.status, first.json()]).toEqual([200, expect.objectContaining({ id, status: 'approved' })])
    for (const verb of ['approve', 'reject'] as const) {
      const second = await decide(id, verb)
      expect(second.status).toBe(409)
      expect(second.json()).toMatchObject({
        code: 'recommendation.decided',
        message: 'This request was already approved.',
        current: { id, status: 'approved' },
      })
    }
  })

  test('takes a decision back within seconds, and nobody was told of either', async () => {
    const undo = (id: string, headers = admin): Promise<TestResponse> =>
      server.request(`/recommendations/${id}/undo`, { method: 'POST', headers })
    await drainJobs(server.app)
    const before = (await readEmails(server.app)).length
    for (const verb of ['approve', 'reject'] as const) {
      const { id } = await made(reader)
      await decide(id, verb)
      const undone = await undo(id)
      expect([undone.status, undone.json()]).toEqual([
        200,
        expect.objectContaining({ id, status: 'pending', decidedAt: null, votes: 1 }),
      ])
      // Once or twice is the same, and it is decided anew, also otherwise.
      expect((await undo(id)).status).toBe(200)
      expect((await decide(id, verb === 'approve' ? 'reject' : 'approve')).status).toBe(200)
      const events = await server.app.db
        .selectFrom('audit_events')
        .select(['action', 'details'])
        .where('subject_id', '=', id)
        .orderBy('id')
        .execute()
      expect(events.filter(({ action }) => action === 'request.decision_undone')).toMatchObject([
        { details: { was: verb === 'approve' ? 'approved' : 'rejected' } },
      ])
    }
    await drainJobs(server.app)
    expect((await readEmails(server.app)).length).toBe(before)
    expect((await undo((await made(reader)).id, reader.headers)).status).toBe(403)
  })

  test('takes no decision back that is older, fulfilled or taken down, or whose title was asked for anew', async () => {
    const undo = (id: string): Promise<TestResponse> =>
      server.request(`/recommendations/${id}/undo`, { method: 'POST', headers: admin })
    const [old, fulfilled, gone] = [await made(reader), await made(reader), await made(reader)]
    await decide(old.id, 'approve')
    server.clock.advance(31_000)
    await decide(fulfilled.id, 'approve')
    await link(fulfilled.id, free.id)
    await decide(gone.id, 'reject')
    await server.request(`/recommendations/${gone.id}/remove`, { method: 'POST', headers: admin })
    const title = aTitle()
    const rejected = await made(reader, title)
    await decide(rejected.id, 'reject')
    await made(reader, title)
    for (const { id } of [old, fulfilled, rejected]) {
      const refused = await undo(id)
      expect([refused.status, refused.json()]).toMatchObject([409, { code: 'recommendation.settled', current: { id } }])
    }
    expect((await undo(gone.id)).json()).toMatchObject({ code: 'recommendation.removed' })
    expect((await undo('0193a3a0-0000-7000-8000-0000000000c1')).status).toBe(404)
    // The database keeps it, whoever writes.
    await expect(
      sql`update content_requests set status = 'pending', decided_at = null, fulfilled_at = null where id = ${fulfilled.id}`.execute(
        server.app.db,
      ),
    ).rejects.toThrow('was decided already')
    await expect(
      sql`update content_requests set status = 'rejected' where id = ${old.id}`.execute(server.app.db),
    ).rejects.toThrow('was decided already')
  })

  test('and forty-nine others decide at once, and one decision is made', async () => {
    const { id } = await made(reader)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => decide(id, i % 2 === 0 ? 'approve' : 'reject')),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
    const events = await server.app.db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_id', '=', id)
      .execute()
    expect(events).toHaveLength(1)
  })

  test('cannot replace a decision by another, not even in the database', async () => {
    const { id } = await made(reader)
    await decide(id, 'reject')
    const replace = sql`update content_requests set status = 'approved' where id = ${id}::uuid`
    await expect(replace.execute(server.app.db)).rejects.toThrow(/decided already/)
  })

  test('reads whose a request is, and rejects several at once', async () => {
    const [a, b, approved, removed] = [await made(reader), await made(reader), await made(reader), await made(reader)]
    await decide(approved.id, 'approve')
    await server.request(`/recommendations/${removed.id}/remove`, { method: 'POST', headers: admin })
    const [newest] = await read<RequestForAdmin[]>('/recommendations?limit=1')
    expect(newest).toMatchObject({ id: removed.id, author: { id: reader.id, name: 'Jane Reader' } })
    const unknown = '00000000-0000-7000-8000-000000000000'
    const rejectAll = (ids: unknown) => post(server, '/recommendations/reject', { ids }, admin)
    const ids = [b.id, a.id, approved.id, removed.id, unknown]
    for (let i = 0; i < 2; i += 1) {
      expect((await rejectAll(ids)).json()).toMatchObject({
        rejected: [
          { id: a.id, status: 'rejected' },
          { id: b.id, status: 'rejected' },
        ],
        left: [{ id: approved.id }, { id: removed.id }],
        gone: [unknown],
      })
    }
    const events = await server.app.db
      .selectFrom('audit_events')
      .select('subject_id')
      .where('action', '=', 'request.rejected')
      .where('subject_id', 'in', ids)
      .execute()
    expect(events).toHaveLength(2)
    expect(new Set(events.map(({ subject_id }) => subject_id))).toEqual(new Set([a.id, b.id]))
    expect((await rejectAll([])).status).toBe(422)
  })

  test('is told of a request that is not there', async () => {
    for (const id of ['00000000-0000-7000-8000-000000000000', 'x'])
      expect((await decide(id, 'approve')).status, id).toBe(404)
  })

  test('finds published entries to link, by name or the nearest names', async () => {
    const found = await read<ItemChoices>('/recommendations/items?search=hidden')
    expect(found.items).toEqual([
      {
        id: secret.id,
        name: 'The hidden shelf',
        path: '/vip-western/the-hidden-shelf',
        contentType: 'vip-western',
        opensAt: null,
      },
    ])
    expect(found.nearest).toEqual([])
    const { items, nearest } = await read<ItemChoices>('/recommendations/items?search=Mooonstone')
    expect([items, nearest[0]?.id]).toEqual([[], free.id])
  })

  test.each(['pending', 'approved', 'fulfilled'] as const)(
    'takes a %s request down: no member sees it any more, and nobody is told of it',
    async (state) => {
      const voter = await aCaller()
      const { id, title } = await made(reader)
      await vote(voter, id)
      if (state !== 'pending') await decide(id, 'approve')
      if (state === 'fulfilled') await link(id, free.id)
      const remove = (headers = admin) => server.request(`/recommendations/${id}/remove`, { method: 'POST', headers })
      expect((await remove(voter.headers)).status).toBe(403)
      const answer = await remove()
      expect([answer.status, answer.json()]).toMatchObject([200, { id, removedAt: expect.any(String) as string }])
      expect((await remove()).json()).toEqual(answer.json())

      for (const by of [reader, voter]) {
        const similar = `/recommendations/similar?title=${encodeURIComponent(title)}`
        for (const path of ['/recommendations/mine', '/recommendations/open', similar])
          expect((await server.request(path, { headers: by.headers })).text).not.toContain(title)
        expect((await vote(by, id)).status).toBe(404)
      }
      await drainJobs(server.app)
      await notifyVoters(server.app)
      await drainJobs(server.app)
      expect([await mailsTo(reader), await mailsTo(voter)]).toEqual([[], []])
      for (const refused of [await decide(id, 'approve'), await link(id, free.id)])
        expect([refused.status, refused.json()]).toMatchObject([409, { code: 'recommendation.removed' }])
      const listed = async (query: string) =>
        (await read<RequestForAdmin[]>(`/recommendations${query}`)).some((one) => one.id === id)
      expect([await listed(''), await listed('?status=pending'), await listed('?status=approved')]).toEqual([
        true,
        false,
        false,
      ])
      const events = await server.app.db
        .selectFrom('audit_events')
        .select(['action', 'details'])
        .where('subject_id', '=', id)
        .where('action', '=', 'request.removed')
        .execute()
      expect(events).toHaveLength(1)
      expect(JSON.stringify(events)).not.toContain(title)
      expect((await submit(voter, title)).status, 'its title is free again').toBe(201)
    },
  )

  test('links only approved requests, and only to entries that are published', async () => {
    const { id } = await made(reader)
    const early = await link(id, free.id)
    expect([early.status, early.json()]).toEqual([
      409,
      expect.objectContaining({
        code: 'recommendation.not_approved',
        current: expect.objectContaining({ status: 'pending' }),
      }),
    ])
    await decide(id, 'approve')
    for (const itemId of ['x', id]) expect((await link(id, itemId)).status).toBe(422)
    const [entry] = (await someItems(server.app, [{ name: 'Deleted at the same moment' }])) as [MadeItem]
    const { readNames } = server.app.listing
    vi.spyOn(server.app.listing, 'readNames').mockImplementationOnce(async (...asked) => {
      const names = await readNames.apply(server.app.listing, asked)
      await server.app.db.deleteFrom('items').where('id', '=', entry.id).execute()
      return names
    })
    expect((await link(id, entry.id)).json()).toMatchObject({ code: 'recommendation.item' })
  })

  test('links a request to its entry: author and voters are mailed once, and the title can be asked for anew', async () => {
    const voter = await aCaller()
    const { id, title } = await made(reader)
    await vote(voter, id)
    await decide(id, 'approve')
    const answer = await link(id, free.id)
    expect(answer.json()).toMatchObject({ item: { name: 'The Moonstone', path: '/western/the-moonstone' } })
    expect((await link(id, free.id)).status).toBe(200)
    await drainJobs(server.app)
    await Promise.all([notifyVoters(server.app), notifyVoters(server.app)])
    await drainJobs(server.app)
    const [mail, ...more] = await mailsTo(reader)
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`Your request was fulfilled: ${title}`)
    expect(mail?.text).toContain('which you asked for, is in the library now: The Moonstone')
    expect(mail?.links).toContain(`${server.app.config.publicUrl}/western/the-moonstone`)
    const [voters] = await mailsTo(voter)
    expect(voters?.subject).toBe(`A request you voted for was fulfilled: ${title}`)
    expect(voters?.text).toContain('which you voted for')
    expect((await vote(voter, id, 'DELETE')).json()).toMatchObject({ code: 'recommendation.closed' })
    expect((await submit(reader, title)).status).toBe(201)
    const events = await server.app.db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_id', '=', id)
      .execute()
    expect(events.map(({ action }) => action).sort()).toEqual(['request.approved', 'request.fulfilled'])
  })

  test('links a VIP entry: nobody who is no VIP hears of it, until they are one', async () => {
    const vip = await aCaller({ isVip: true })
    const { id } = await made(reader)
    await vote(vip, id)
    await decide(id, 'approve')
    await link(id, secret.id)
    await drainJobs(server.app)
    expect(await mailsTo(vip)).toHaveLength(1)
    expect(await mailsTo(reader)).toEqual([])
    const seen = await server.request('/recommendations/mine', { headers: reader.headers })
    expect(seen.text).not.toContain('hidden')
    expect(seen.json()).toMatchObject({ requests: [{ id, status: 'approved', item: null }] })
    expect((await read<RequestsForMember>('/recommendations/mine', vip.headers)).requests).toEqual([])
    await aGrant(server.app, reader.id, new Date(server.app.clock.now() + dayMs).toISOString())
    await notifyVoters(server.app)
    await drainJobs(server.app)
    expect(await mailsTo(reader)).toHaveLength(1)
  })

  test('links a VIP entry: an administrator hears of it where the role is in force', async () => {
    const { app } = server
    const asking = { ...app, config: { ...app.config, requiresAdminSecondFactor: true } }
    const voter = await aCaller({ isAdmin: true })
    const { id } = await made(reader)
    await vote(voter, id)
    await decide(id, 'approve')
    await link(id, secret.id)
    const isTold = async (): Promise<boolean> => {
      await notifyVoters(asking, { requestId: id })
      const { notified_at: at } = await app.db
        .selectFrom('request_votes')
        .select('notified_at')
        .where('request_id', '=', id)
        .where('user_id', '=', voter.id)
        .executeTakeFirstOrThrow()
      return at !== null
    }
    expect(await isTold()).toBe(false)
    await app.db.updateTable('users').set({ has_second_factor: true }).where('id', '=', voter.id).execute()
    expect(await isTold()).toBe(true)
  })

  test.each([
    ['a VIP entry', () => secret.id],
    ['an entry of the future', () => coming.id],
  ])('links %s: for who may not see it the request stays open as any other', async (_what, itemId) => {
    const passer = await aCaller()
    const { id, title } = await made(reader)
    await decide(id, 'approve')
    const isListed = async (path: string, by = passer): Promise<boolean> =>
      (await read<RequestsForMember>(path, by.headers)).requests.some((one) => one.id === id)
    const similar = `/recommendations/similar?title=${encodeURIComponent(title)}`
    const tryAll = async () => {
      const voted = await vote(passer, id)
      const again = await submit(passer, title)
      const taken = await vote(passer, id, 'DELETE')
      const told = await submit(reader, title)
      return [
        ...[voted, again, taken, told].map((answer) => [answer.status, answer.json()]),
        await isListed('/recommendations/open'),
        await isListed(similar),
        (await read<RequestsForMember>('/recommendations/mine', reader.headers)).requests,
      ]
    }
    const before = await tryAll()
    expect(before.slice(0, 4).map((answer) => (answer as [number])[0])).toEqual([200, 200, 200, 200])
    expect(before.slice(4, 6)).toEqual([true, true])
    expect((await link(id, itemId())).status).toBe(200)
    expect(await tryAll()).toEqual(before)
  })

  test('links a VIP entry: who may see it finds it, where they ask for the same and where they vote', async () => {
    const vip = await aCaller({ isVip: true })
    const { id, title } = await made(reader)
    await decide(id, 'approve')
    await link(id, secret.id)
    const again = await submit(vip, title)
    expect([again.status, again.json()]).toEqual([
      200,
      expect.objectContaining({
        id,
        votes: 1,
        hasVoted: false,
        item: expect.objectContaining({ name: 'The hidden shelf' }),
      }),
    ])
    expect((await vote(vip, id)).json()).toMatchObject({ code: 'recommendation.closed' })
    const similar = `/recommendations/similar?title=${encodeURIComponent(title)}`
    const alike = await read<RequestsForMember>(similar, vip.headers)
    expect(alike.requests.map((one) => one.id)).not.toContain(id)
    const open = await read<OpenRequests>('/recommendations/open', vip.headers)
    expect(open.requests.map((one) => one.id)).not.toContain(id)
  })

  test('reads on which day a scheduled entry opens, and is led to its form until then', async () => {
    const { id } = await made(reader)
    await decide(id, 'approve')
    const { items } = await read<ItemChoices>('/recommendations/items?search=Next year')
    expect(items[0]).toMatchObject({ id: coming.id, opensAt: '2025-01-01T00:00:00.000Z' })
    expect((await read<ItemChoices>('/recommendations/items?search=Moonstone')).items[0]).toMatchObject({
      id: free.id,
      opensAt: null,
    })
    const { item } = (await link(id, coming.id)).json() as RequestForAdmin
    expect(item).toEqual({
      name: 'Next year',
      path: `/admin/settings?edit=${coming.id}`,
      opensAt: '2025-01-01T00:00:00.000Z',
    })
    const chief = { ...reader, headers: admin }
    expect((await vote(chief, id)).status, 'an administrator is a member like others').toBe(200)
  })

  test('links a VIP entry: who loses the access while the mail waits is not told its name', async () => {
    const vip = await aCaller({ isVip: true })
    const { id } = await made(vip)
    await decide(id, 'approve')
    await link(id, secret.id)
    await notifyVoters(server.app)
    await server.app.db.updateTable('users').set({ vip_disabled: true }).where('id', '=', vip.id).execute()
    await drainJobs(server.app)
    expect(await mailsTo(vip)).toEqual([])
  })

  test('links an entry of the future: the mail waits for its day', async () => {
    const { id } = await made(reader)
    await decide(id, 'approve')
    const { items } = await read<ItemChoices>('/recommendations/items?search=Next year')
    await link(id, items[0]?.id ?? '')
    await drainJobs(server.app)
    expect(await mailsTo(reader)).toEqual([])
    await passTime(300 * dayMs)
    await notifyVoters(server.app)
    await drainJobs(server.app)
    expect(await mailsTo(reader)).toHaveLength(1)
  })

  test('reads on the home page how many requests wait', async () => {
    await sql`delete from content_requests`.execute(server.app.db)
    const [waiting] = requestsContributions.adminHome?.waiting ?? []
    expect(await waiting?.(server.app, anonymous)).toBeUndefined()
    await made(reader)
    expect(await waiting?.(server.app, anonymous)).toMatchObject({ sentence: '1 request to decide', count: 1 })
    await made(reader)
    const two = await waiting?.(server.app, anonymous)
    expect(two).toMatchObject({ sentence: '2 requests to decide', count: 2 })
    expect(await two?.rows?.()).toMatchObject([
      { sentence: '2 requests to decide', verb: 'Decide', line: expect.stringMatching(/^“.+”$/) },
    ])
  })
})

test('the page says what it is, and holds no request', async () => {
  const { title } = await made(await aCaller())
  const page = await server.request('/requests')
  expect(page.status).toBe(200)
  expect(page.text).toContain('Is something missing?')
  expect(page.text).not.toContain(title)
})

describe('a deleted account', () => {
  test('leaves requests that an administrator lists by themselves and takes down in one call', async () => {
    const flooder = await aCaller()
    const [a, b, c] = [await made(flooder), await made(flooder), await made(flooder)] as const
    const other = await made(await aCaller())
    await decide(b.id, 'reject')
    const orphans = async (query = ''): Promise<string[]> =>
      (await read<RequestForAdmin[]>(`/recommendations?author=none${query}`)).map(({ id }) => id)
    const before = await orphans()
    const gone = await server.call(`/auth/delete-account/${flooder.email}`, {
      method: 'DELETE',
      headers: flooder.headers,
    })
    expect(gone.status, gone.text).toBe(200)
    expect(await orphans()).toEqual([c.id, b.id, a.id, ...before])
    expect((await read<RequestForAdmin[]>('/recommendations?author=none'))[0]).toMatchObject({ author: null })
    expect(await orphans('&status=rejected')).toContain(b.id)
    expect(await orphans('&status=rejected')).not.toContain(a.id)
    const removeAll = (ids: unknown) => post(server, '/recommendations/remove', { ids }, admin)
    const unknown = '00000000-0000-7000-8000-000000000000'
    const answer = await removeAll([c.id, a.id, unknown])
    const isRemoved = expect.any(String) as string
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      {
        removed: [
          { id: a.id, removedAt: isRemoved },
          { id: c.id, removedAt: isRemoved },
        ],
        gone: [unknown],
      },
    ])
    expect(await orphans()).toEqual([b.id, ...before])
    // An earlier removal stays, and is logged once.
    const again = await removeAll([a.id, b.id, other.id])
    expect(again.json()).toMatchObject({ removed: [{ id: a.id }, { id: b.id }, { id: other.id }], gone: [] })
    expect(await orphans()).toEqual(before)
    const events = await server.app.db
      .selectFrom('audit_events')
      .select('subject_id')
      .where('action', '=', 'request.removed')
      .where('subject_id', 'in', [a.id, b.id, c.id, other.id])
      .execute()
    expect(new Set(events.map(({ subject_id }) => subject_id))).toEqual(new Set([a.id, b.id, c.id, other.id]))
    expect(events).toHaveLength(4)
    for (const ids of [[], [a.id, a.id], ['x'], 'x', Array.from({ length: 201 }, () => unknown)])
      expect((await removeAll(ids)).status).toBe(422)
    expect((await server.request('/recommendations?author=me', { headers: admin })).status).toBe(400)
  })

  test('takes its votes along, and its requests stay without an author', async () => {
    const author = await aCaller()
    const voter = await aCaller()
    const own = await made(voter)
    const other = await made(author)
    await vote(voter, other.id)
    const exported = await read<{ requests: { own: unknown[]; votes: unknown[] } }>('/auth/export', voter.headers)
    expect(exported.requests.own).toEqual([expect.objectContaining({ id: own.id, title: own.title })])
    expect(exported.requests.votes).toHaveLength(2)
    const gone = await server.call(`/auth/delete-account/${voter.email}`, { method: 'DELETE', headers: voter.headers })
    expect(gone.status, gone.text).toBe(200)
    const rows = await server.app.db
      .selectFrom('content_requests')
      .select(['id', 'author_id', 'votes'])
      .where('id', 'in', [own.id, other.id])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id: own.id, author_id: null, votes: 0 },
      { id: other.id, author_id: author.id, votes: 1 },
    ])
  })

  test('and votes for the same requests never wait for each other in a circle', async () => {
    const authors = await Promise.all(Array.from({ length: 6 }, () => aCaller()))
    const requests = await Promise.all(authors.slice(0, 3).map((author) => made(author)))
    const votes = authors.flatMap((voter) => requests.map(({ id }) => vote(voter, id)))
    const deletions = authors.map(({ email, headers }) =>
      server.call(`/auth/delete-account/${email}`, { method: 'DELETE', headers }),
    )
    const answers = await Promise.all([...votes, ...deletions])
    expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([])
  })
})
