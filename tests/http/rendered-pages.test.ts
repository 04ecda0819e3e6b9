import { describe, expect, test } from 'vitest'
import { fromHtml, type Rendered } from '../harness/rendered.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* The words of pages that are the same for everybody, as the server writes them. */

// Payments are on where there are keys; no call of these pages reaches the address.
const server = serverOfFile({
  now: '2024-03-15T12:00:00Z',
  env: {
    SITE_TIME_ZONE: 'America/Sao_Paulo',
    STRIPE_SECRET_KEY: 'sk_test_forthetests',
    STRIPE_WEBHOOK_SECRET: 'whsec_for_the_tests',
    STRIPE_PRICE_MONTHLY: 'price_test_monthly',
    STRIPE_PRICE_ANNUAL: 'price_test_annual',
    STRIPE_API_BASE: 'http://127.0.0.1:9',
  },
})

async function page(path: string, status = 200): Promise<Rendered> {
  const answer = await server.request(path)
  expect(answer.status, path).toBe(status)
  return fromHtml(answer.text)
}

const titleOf = ({ html }: Rendered): string => /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? ''
const mainOf = ({ html }: Rendered): Rendered => fromHtml(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '')

test('a page names the time zone of the site', async () => {
  expect((await page('/plans')).html).toMatch(/<html [^>]*data-time-zone="America\/Sao_Paulo"/)
})

describe('the page of the plans', () => {
  test('tells what each plan costs, what it brings, and what is not included in the free one', async () => {
    const plans = await page('/plans')
    expect(titleOf(plans)).toBe('VIP LOUNGE · Daybook')
    const { html, text } = mainOf(plans)
    for (const name of ['VIP LOUNGE', 'VIP ALL ACCESS', 'ANNUAL PREMIUM', 'FREE ACCESS', 'Why Choose VIP?'])
      expect(html).toMatch(new RegExp(`<h[12][^>]*>${name.replace('?', '\\?')}</h[12]>`))
    for (const words of [
      '$12.00 per month',
      '$6.66 /mo',
      '$0.00 per month',
      'billed $80.00/year',
      'POPULAR',
      'Save 44%',
      'TEST MODE: no card is charged.',
    ])
      expect(text).toContain(words)
    const free = fromHtml(/<li id="free"[\s\S]*?<\/ul><\/li>/.exec(html)?.[0] ?? '')
    const features = [...free.html.matchAll(/<li(?: class="([^"]*)")?><svg[\s\S]*?<\/li>/g)].map(([item, kind]) => ({
      isLacking: kind === 'is-lacking',
      text: fromHtml(item).text,
      isStruck: item.includes('<s>'),
    }))
    expect(features.map(({ isLacking }) => isLacking)).toEqual([false, false, false, false, true, true, true])
    for (const { isLacking, isStruck, text: words } of features) {
      expect(isStruck).toBe(isLacking)
      expect(words.startsWith('Not included: ')).toBe(isLacking)
    }
  })
})

test.each([
  ['/terms', 'Terms of Service'],
  ['/privacy', 'Privacy Policy'],
])('%s says that it is a draft, and the footer leads to it', async (path, title) => {
  const legal = await page(path)
  expect(mainOf(legal).text).toMatch(new RegExp(`^${title} Draft This text is a draft`))
  expect((await page('/login')).hrefs).toContain(path)
  // Links of before lead to a place of this page, which leads on.
  const part = new RegExp(`<section id="${path.slice(1)}" aria-label="${title}">[\\s\\S]*?</section>`)
  expect(fromHtml(part.exec((await page('/plans')).html)?.[0] ?? '').hrefs).toEqual([path])
})

test('The page after a cancelled payment says that nothing was charged, and what to do', async () => {
  const { text, hrefs } = mainOf(await page('/cancel'))
  expect(text).toMatch(/^Payment Canceled Nothing was charged\. Try Again .* Check Details .* Contact Support /)
  expect([...hrefs].sort()).toEqual(['/', '/plans', '/support'])
})

test('The form of registration leads to the terms in another tab, so that nothing typed is lost', async () => {
  const { html } = mainOf(await page('/register'))
  for (const [name, address] of [
    ['Terms of Service', '/terms'],
    ['Privacy Policy', '/privacy'],
  ])
    expect(html).toMatch(new RegExp(`<a[^>]* href="${address}" target="_blank" rel="noopener noreferrer">${name}`))
})

test.each(['/login', '/register', '/forgot-password', '/reset-password'])(
  'The form of %s says that it needs JavaScript, and cannot be sent before it is alive',
  async (path) => {
    const { html, text } = mainOf(await page(path))
    expect(text).toContain('This form needs JavaScript. Please allow it for this site.')
    expect(html).toMatch(/<button type="submit"[^>]* disabled=""/)
  },
)

describe('a guarded page', () => {
  test.each([
    '/vip',
    '/vip-asian',
    '/vip-western',
    '/vip-banned',
    '/vip-unknown',
    '/vip/a-slug',
    '/vip-asian/a-slug',
    '/vip-western/a-slug',
    '/vip-banned/a-slug',
    '/vip-unknown/a-slug',
    '/admin',
    '/admin/settings',
    '/admin/stats',
    '/admin/audit',
    '/admin/answer-templates',
    '/admin/configuration',
    '/admin/jobs',
    '/admin/demo',
    '/admin/requests',
    '/admin-vip-users',
    '/admin-vip-disabled',
    '/admin/people',
    '/admin/people/0192f0c1-2222-7333-8444-555566667777',
    '/admin/people/import',
    '/admin/billing',
    '/account',
  ])('is the same for everybody, is not indexed, and says that it needs a script (%s)', async (path) => {
    const requested = await page(`${path}?from=here`)
    expect(requested.html).toContain('<meta name="robots" content="noindex"/>')
    expect(mainOf(requested).text).toContain('This page needs JavaScript. Please allow it for this site.')
    expect(mainOf(requested).hrefs).toEqual([])
  })

  test('does not hide a page that nobody has built', async () => {
    expect(mainOf(await page('/admin/no-such-page', 404)).text).toContain('There is no such page')
  })
})
