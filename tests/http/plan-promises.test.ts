import { beforeAll, describe, expect, test } from 'vitest'
import type { GatewaySettings } from '../../src/features/catalogue/gateway/gateway.server.ts'
import type { SiteTextsForAdmin } from '../../src/features/office/texts/texts-schema.ts'
import { generateKeyPairSync } from 'node:crypto'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { fromHtml, type Rendered } from '../harness/rendered.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'

/* The pages promise what the settings in force keep: advertising, waiting, early access (docs/spec/pages.md#promises). */

let admin: { authorization: string }

const server = serverOfFile()

beforeAll(async () => {
  admin = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
})

const page = async (path: string, on = server): Promise<Rendered> => fromHtml((await on.request(path)).text)

/** The cells of the rows of 'What differs', by the names of the rows. */
function rowsOf({ html }: Rendered): Record<string, string[]> {
  const rows = html.matchAll(/<tr><th scope="row">([\s\S]*?)<\/th>([\s\S]*?)<\/tr>/g)
  return Object.fromEntries(
    [...rows].map(([, name = '', cells = '']) => [
      fromHtml(name).text,
      [...cells.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => fromHtml(cell).text),
    ]),
  )
}

async function useGateway(change: Partial<GatewaySettings>): Promise<void> {
  const before = (await server.request('/api/gateway', { headers: admin })).json() as GatewaySettings
  const answer = await server.request('/api/gateway', {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ ...before, ...change }),
  })
  expect(answer.status, answer.text).toBe(200)
}

async function saveText(key: string, value: string | null): Promise<number> {
  const { texts } = (await server.request('/api/texts', { headers: admin })).json() as SiteTextsForAdmin
  const version = texts.find((text) => text.key === key)?.version
  const answer = await server.request(`/api/texts/${key}`, {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/json' },
    body: JSON.stringify({ value, version }),
  })
  return answer.status
}

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const linkvertise = {
  provider: 'linkvertise',
  account: '424242',
  publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
} as const

/** The texts about plans that are in force. */
async function promises(): Promise<string> {
  const { texts } = (await server.request('/api/texts', { headers: admin })).json() as SiteTextsForAdmin
  const ofPlans = texts.filter(({ key }) => /^(plans|vip)\./.test(key))
  expect(ofPlans.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['plans.monthly', 'vip.benefits', 'vip.upgrade']),
  )
  return ofPlans.map(({ value }) => value).join('\n')
}

describe('advertising', () => {
  test('is denied and announced as the gateway in force has it, on kept pages too', async () => {
    expect((await page('/privacy')).text).toContain('There is no advertising')
    expect(rowsOf(await page('/plans'))['Downloads']).toEqual(['Through a waiting page', 'Direct', 'Direct'])
    expect(await promises()).toContain('Direct downloads')
    expect(await promises()).not.toMatch(/ad-free|without ads/i)

    await useGateway(linkvertise)
    const withAds = await page('/privacy')
    expect(withAds.text).not.toMatch(/no advertising/i)
    expect(withAds.text).toContain('Linkvertise')
    expect(rowsOf(await page('/plans'))['Downloads']).toEqual(['May show ads', 'No ads', 'No ads'])
    expect((await page('/plans')).html).toContain('<s>Ad-free, direct downloads</s>')
    for (const line of [/without ads$/m, /^Ad-free$/m, /^Ad-Free Experience \|/m])
      expect(await promises()).toMatch(line)

    await useGateway({ provider: 'off' })
    expect((await page('/privacy')).text).toContain('There is no advertising')
    expect(rowsOf(await page('/plans'))).not.toHaveProperty('Downloads')
    // Everybody has them.
    expect(await promises()).not.toMatch(/direct|straight|without (ads|waiting)|ad-free/i)

    await useGateway({ provider: 'local' })
    expect((await page('/plans')).text).not.toContain('May show ads')
  })

  test('follows the environment while nothing is saved, and is denied where the gateway cannot work', async () => {
    for (const [env, hasAds] of [
      [
        {
          GATEWAY_PROVIDER: 'linkvertise',
          LINKVERTISE_ACCOUNT: '424242',
          LINKVERTISE_PUBLIC_KEY: linkvertise.publicKey,
        },
        true,
      ],
      [{ GATEWAY_PROVIDER: 'linkvertise' }, false],
    ] as const) {
      await using other = await openTestServer({ env })
      expect((await page('/privacy', other)).text.includes('There is no advertising')).toBe(!hasAds)
      expect((await page('/plans', other)).text.includes('May show ads')).toBe(hasAds)
    }
  })
})

describe('early access', () => {
  test('is promised nowhere while the setting is 0', async () => {
    for (const path of ['/plans', '/account']) expect((await server.request(path)).text).not.toMatch(/early access/i)
    const { texts } = (await server.request('/api/texts', { headers: admin })).json() as SiteTextsForAdmin
    for (const { value } of texts) expect(value).not.toMatch(/early access|HD streaming|download speed/i)
  })

  test('is promised on the plans and the account page above 0', async () => {
    await using early = await openTestServer({ env: { EARLY_ACCESS_DAYS: '7' } })
    const plans = await page('/plans', early)
    expect(rowsOf(plans)['Early access']).toEqual(['Not included', 'Included', 'Included'])
    expect(plans.html).toContain('<s>Early access</s>')
    expect((await early.request('/account')).text).toContain('Early access')
  })
})

describe('what differs and why VIP', () => {
  test('are texts of the operator, with the parts of a line between strokes', async () => {
    expect(await saveText('plans.comparison', 'Reading room | no | Weekdays | yes')).toBe(200)
    expect(await saveText('plans.reasons', 'A quiet room | Nobody speaks.\nTea')).toBe(422)
    expect(await saveText('plans.reasons', 'A quiet room | Nobody speaks.')).toBe(200)
    const plans = await page('/plans')
    expect(rowsOf(plans)['Reading room']).toEqual(['Not included', 'Weekdays', 'Included'])
    // The prices are those that are charged, whatever the operator writes.
    expect(rowsOf(plans)['Price per year']).toEqual(['$0.00', '$144.00', '$80.00'])
    expect(plans.text).toContain('A quiet room Nobody speaks.')
    expect(plans.text).not.toContain('Priority Support')
    for (const key of ['plans.comparison', 'plans.reasons']) expect(await saveText(key, null)).toBe(200)
    expect((await page('/plans')).text).toContain('Priority Support')
  })
})

describe('the legal pages', () => {
  test.each([
    ['/terms', 'terms', 'Terms of Service', 'Membership and payment'],
    ['/privacy', 'privacy', 'Privacy Policy', 'What is kept'],
  ])('%s has the text, a title and a canonical address, and old links lead to it', async (path, id, title, part) => {
    const legal = await page(path)
    expect(legal.html).toContain(`<title>${title} · Daybook</title>`)
    expect(legal.html).toContain(`<link rel="canonical" href="${server.app.config.publicUrl}${path}"/>`)
    expect(legal.html).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`))
    expect(legal.html).toContain(`<h2>${part}</h2>`)
    expect(legal.hrefs).toContain(path)
    // As the browser asks on the way from another page.
    expect((await server.request(`${path}.data`)).text).toContain(part)

    const plans = await page('/plans')
    expect(plans.text).not.toContain(part)
    const section = fromHtml(new RegExp(`<section id="${id}"[\\s\\S]*?</section>`).exec(plans.html)?.[0] ?? '')
    expect(section.text).toContain(title)
    expect(section.hrefs).toEqual([path])
  })
})
