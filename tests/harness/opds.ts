import { aSignedInMember, type MemberOverrides, type SignedIn } from './members.ts'
import type { TestResponse } from './request.ts'
import type { TestServer } from './test-server.ts'

/** Makes an app password over HTTP. @returns the header of a reading program that has it */
export async function makeAppPassword(
  server: Pick<TestServer, 'request'>,
  { email, headers }: Pick<SignedIn, 'email' | 'headers'>,
  name = 'KOReader',
): Promise<Record<string, string>> {
  const answer = await server.request('/account/app-passwords', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  if (answer.status !== 201) throw new Error(`An app password answered ${answer.status}: ${answer.text}`)
  const { password } = answer.json() as { password: string }
  return { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` }
}

/** The header of a new member with an app password. */
export async function basic(server: TestServer, overrides: MemberOverrides): Promise<Record<string, string>> {
  return makeAppPassword(server, await aSignedInMember(server, overrides))
}

/** The feeds that a document of either version leads to. */
function addressesIn(text: string): string[] {
  const found = [...text.matchAll(/(?:href="|"href":")(\/opds[^"]*)"/g)].map(([, href]) =>
    (href ?? '').replaceAll('&amp;', '&'),
  )
  return found.filter((href) => !href.includes('{') && !href.includes('auth=1') && !href.includes('/covers/'))
}

/** Every document that a reader reaches from one, by its address. */
export async function walk(
  server: Pick<TestServer, 'request'>,
  from: string,
  { headers, most }: { headers: Record<string, string>; most: number },
): Promise<Map<string, TestResponse>> {
  const found = new Map<string, TestResponse>()
  const waiting = [from]
  for (let next = waiting.shift(); next !== undefined && found.size < most; next = waiting.shift()) {
    if (found.has(next)) continue
    const answer = await server.request(next, { headers })
    if (answer.status !== 200) throw new Error(`${next} answered ${answer.status}: ${answer.text}`)
    found.set(next, answer)
    // The list of hundreds of creators comes after all others.
    waiting.push(...addressesIn(answer.text).filter((address) => !found.has(address) && address !== '/opds/search.xml'))
  }
  return found
}

/** The titles of a feed of version 1.2: its own, then those of its entries. */
export function titlesIn(text: string): string[] {
  return [...text.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title ?? '')
}

/** The address of the next page, as a reading program follows it. */
export function nextOf(text: string): string | undefined {
  return /<link rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
}
