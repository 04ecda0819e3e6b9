import { anAddress } from './purchases.ts'

interface Query {
  method?: string
  headers?: Record<string, string>
  body?: object
}

/** Each call is another caller's, as behind a proxy. @returns the answer, whole */
export async function call(address: string, { method, headers, body }: Query = {}): Promise<Response> {
  const answer = await fetch(address, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      'api-key': 'daybook-web',
      'content-type': 'application/json',
      'x-forwarded-for': anAddress(),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return new Response(await answer.arrayBuffer(), answer)
}

/** The same. @throws where the answer tells of a failure */
export async function callWell(address: string, query: Query = {}): Promise<Response> {
  const answer = await call(address, query)
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`)
  return answer
}

/** Signs an administrator in. @returns the headers of their calls */
export async function administratorHeaders(
  address: string,
  login: { email: string; password: string },
): Promise<Record<string, string>> {
  const answer = await callWell(`${address}/auth/login`, { body: login })
  return headersOf(address, ((await answer.json()) as { token: string }).token)
}

/** The headers of the calls of an administrator who has signed in. */
export async function headersOf(address: string, token: string): Promise<Record<string, string>> {
  const authorization = `Bearer ${token}`
  const own = await callWell(`${address}/auth/dashboard`, { headers: { authorization } })
  const { adminKey } = (await own.json()) as { adminKey: string }
  return { authorization, 'admin-key': adminKey }
}

/** Has an administrator remove what a notice names. */
export async function removeBy(address: string, headers: Record<string, string>, reference: string): Promise<void> {
  const body = {
    outcome: 'remove',
    ground: 'illegal',
    legalGround: '17 U.S.C. 106',
    facts: 'The text is that of the novel.',
    explanation: 'It is a copy without a licence.',
    version: 1,
  }
  await callWell(`${address}/api/notices/${reference}/decision`, { headers, body })
}

/** Reads, signs up, signs in and edits at a place, until it is stopped. */
export class Callers {
  readonly counted = { requests: 0, failed: [] as string[], writes: 0 }
  readonly #front: string
  readonly #password: string
  readonly #stopping = new AbortController()
  readonly #calling: Promise<void>[]

  /**
   * @param items an entry for each caller, which nobody else edits, at its first version
   * @param headers those of an administrator who edits
   */
  constructor(front: string, items: readonly { id: string }[], headers: Record<string, string>, password: string) {
    this.#front = front
    this.#password = password
    this.#calling = items.map(({ id }, caller) => this.#callOn(caller, id, headers))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#calling)
  }

  async #expect(status: number, path: string, query: Query = {}): Promise<void> {
    const answer = await call(`${this.#front}${path}`, query).catch((error: Error) => error)
    this.counted.requests += 1
    if (query.body !== undefined) this.counted.writes += 1
    if (answer instanceof Error) this.counted.failed.push(`${path}: ${answer.message} ${String(answer.cause)}`)
    else if (answer.status !== status) this.counted.failed.push(`${path}: ${answer.status} ${await answer.text()}`)
  }

  async #callOn(caller: number, id: string, headers: Record<string, string>): Promise<void> {
    const reader = { email: '', password: this.#password }
    for (let turn = 0; !this.#stopping.signal.aborted; turn += 1) {
      for (const path of ['/western', '/universal-search/search?search=edit', '/feeds/all.rss'])
        await this.#expect(200, path)
      if (turn % 4 === 0) {
        reader.email = `reader-${caller}-${turn}@readers.example`
        await this.#expect(201, '/auth/register', { body: { name: 'Jane Reader', ...reader } })
      }
      await this.#expect(200, '/auth/login', { body: reader })
      const body = { name: `Edit ${turn + 1}`, version: turn + 1 }
      await this.#expect(200, `/westerncontent/${id}`, { method: 'PUT', headers, body })
      // Registrations of all callers stay below the limit of the site.
      await new Promise((wake) => setTimeout(wake, 500))
    }
  }
}
