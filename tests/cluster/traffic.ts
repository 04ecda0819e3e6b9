import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { RunningSandbox } from '../../sandbox/sandbox.ts'
import type { App } from '../../src/app/app.ts'
import { administratorHeaders } from '../harness/callers.ts'
import { someItems } from '../harness/items.ts'
import { aMember, type MadeMember } from '../harness/members.ts'
import { anAddress } from '../harness/purchases.ts'
import { until } from './cluster.ts'

/** Nobody waits longer for an answer. */
const answerWithinMs = 20_000
const entriesToEdit = 4
/** One of each kind of write after the other, so long apart. */
const pauseMs = 400
/** More than three faults take. */
const entriesToDelete = 900
const buyers = 900
const password = 'a quiet reading room'

/** Everything that the instances have acknowledged, and for how long what was deleted could be seen. */
interface Ledger {
  signUps: string[]
  /** The number of the last acknowledged edit, by entry. */
  edits: Map<string, number>
  deleted: { slug: string; seenForMs: number }[]
  purchases: MadeMember[]
  /** The instants of all acknowledged writes, by kind. */
  writes: Map<string, number[]>
}

/** The acts of people and administrators on several instances until they are told to stop. */
export interface Traffic {
  ledger: Ledger
  stop(): Promise<void>
}

interface Site {
  /** One for each instance. */
  addresses: readonly string[]
  sandbox: RunningSandbox
  administrator: MadeMember
}

/** Makes the entries and the people that the traffic is about, on an empty database. */
export async function prepareTraffic(app: App): Promise<{
  administrator: MadeMember
  edited: { id: string; slug: string }[]
  toDelete: { id: string; slug: string }[]
  buyers: MadeMember[]
}> {
  const administrator = await aMember(app, { isAdmin: true, password })
  const edited = await someItems(
    app,
    Array.from({ length: entriesToEdit }, (_, at) => ({ name: `Edit 0 of ${at}`, slug: `edited-${at}` })),
  )
  const toDelete = await someItems(
    app,
    Array.from({ length: entriesToDelete }, (_, at) => ({ name: `Deleted ${at}`, slug: `deleted-${at}` })),
  )
  const people: MadeMember[] = []
  for (let at = 0; at < buyers; at += 1) people.push(await aMember(app, { password }))
  return { administrator, edited, toDelete, buyers: people }
}

/** Begins the traffic. */
export async function startTraffic(
  { addresses, sandbox, administrator }: Site,
  { edited, toDelete, buyers: people }: Omit<Awaited<ReturnType<typeof prepareTraffic>>, 'administrator'>,
): Promise<Traffic> {
  const ledger: Ledger = { signUps: [], edits: new Map(), deleted: [], purchases: [], writes: new Map() }
  const stopping = new AbortController()
  let turn = 0
  const nextAddress = (): string => addresses[(turn += 1) % addresses.length] as string
  const headers = await administratorHeaders(addresses[0] as string, { email: administrator.email, password })
  const acknowledged = (kind: string): void => {
    const instants = ledger.writes.get(kind) ?? []
    instants.push(performance.now())
    ledger.writes.set(kind, instants)
  }

  const kinds: Record<string, () => Promise<void>> = {
    async 'sign-ups'() {
      const email = `reader-${(turn += 1)}@readers.example`
      const answer = await call(`${nextAddress()}/auth/register`, { body: { name: 'Jane Reader', email, password } })
      if (answer?.status !== 201 && answer?.status !== 200) return
      ledger.signUps.push(email)
      acknowledged('sign-ups')
    },
    async edits() {
      const item = edited[(turn += 1) % edited.length] as { id: string; slug: string }
      const address = nextAddress()
      const read = await call(`${address}/api/items/${item.id}`, { headers })
      if (read?.status !== 200) return
      const { version } = (await read.json()) as { version: number }
      const number = version + 1
      const answer = await call(`${address}/westerncontent/${item.id}`, {
        method: 'PUT',
        headers,
        body: { name: `Edit ${number}`, version },
      })
      if (answer?.status !== 200) return
      ledger.edits.set(item.id, Math.max(number, ledger.edits.get(item.id) ?? 0))
      acknowledged('edits')
    },
    async deletions() {
      const item = toDelete.shift()
      if (item === undefined) throw new Error('There is nothing left to delete.')
      const answer = await call(`${nextAddress()}/westerncontent/${item.id}`, { method: 'DELETE', headers })
      if (answer === undefined || answer.status >= 300) return
      acknowledged('deletions')
      const deletedAt = performance.now()
      const entry = { slug: item.slug, seenForMs: 0 }
      ledger.deleted.push(entry)
      // Each instance is asked until it has it no more, at most for two minutes.
      await Promise.all(
        addresses.map(async (address) => {
          for (let now = deletedAt; now - deletedAt < 120_000; now = performance.now()) {
            const page = await call(`${address}/westerncontent/${item.slug}`, {})
            if (page?.status === 404) return
            if (page?.status === 200) entry.seenForMs = Math.max(entry.seenForMs, performance.now() - deletedAt)
            await wait(100)
          }
        }),
      )
    },
    async purchases() {
      const member = people.shift()
      if (member === undefined) throw new Error('There is nobody left to buy.')
      const address = nextAddress()
      const from = { 'x-forwarded-for': anAddress() }
      const login = await call(`${address}/auth/login`, { headers: from, body: { email: member.email, password } })
      if (login?.status !== 200) return
      const { token } = (await login.json()) as { token: string }
      const answer = await call(`${address}/pay/vip-payment`, {
        headers: { ...from, authorization: `Bearer ${token}` },
        body: { email: member.email, planType: 'monthly' },
      })
      const [session] = /cs_\w+/.exec(answer?.status === 200 ? await answer.text() : '') ?? []
      if (session === undefined) return
      await sandbox.control.pay(session)
      ledger.purchases.push(member)
      acknowledged('purchases')
    },
  }

  const loops = Object.values(kinds).map(async (act) => {
    while (!stopping.signal.aborted) {
      await act()
      await wait(pauseMs)
    }
  })
  return {
    ledger,
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

/** The acknowledged writes that the database lacks, by kind. Purchases are looked for until they are there. */
export async function findLost(app: App, ledger: Ledger): Promise<Record<string, number>> {
  const emails = await app.db
    .selectFrom('users')
    .select('email')
    .where('email', 'in', ['', ...ledger.signUps])
    .execute()
  const { rows: edits } = await sql<{ id: string; version: number }>`
    select id, version from items where id in (${sql.join(['00000000-0000-7000-8000-000000000000', ...ledger.edits.keys()])})`.execute(
    app.db,
  )
  const versions = new Map(edits.map(({ id, version }) => [id, version]))
  const { rows: shown } = await sql<{ slug: string }>`
    select slug from items where slug in (${sql.join(['', ...ledger.deleted.map(({ slug }) => slug)])})`.execute(app.db)
  const unpaid = async (): Promise<number> => {
    const found = await app.db
      .selectFrom('access_grants')
      .select('user_id')
      .where('source', '=', 'stripe')
      .distinct()
      .execute()
    const vips = new Set(found.map(({ user_id: id }) => id))
    return ledger.purchases.filter(({ id }) => !vips.has(id)).length
  }
  await until(async () => (await unpaid()) === 0, 'every purchase gives access').catch(() => {})
  return {
    'sign-ups': ledger.signUps.length - emails.length,
    edits: [...ledger.edits].filter(([id, number]) => (versions.get(id) ?? 0) < number).length,
    deletions: shown.length,
    purchases: await unpaid(),
  }
}

/** @returns undefined where no answer came in time */
async function call(
  address: string,
  { method, headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: object },
): Promise<Response | undefined> {
  return fetch(address, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      'api-key': 'daybook-web',
      'x-forwarded-for': anAddress(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerWithinMs),
  }).catch(() => undefined)
}
