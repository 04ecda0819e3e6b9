import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

describe('readConfig', () => {
  it('needs nothing', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      publicUrlIsSet: false,
      databaseUrl: undefined,
      brandName: 'Daybook',
      timeZone: 'UTC',
      clientApiKey: 'daybook-web',
      gatewayProvider: 'off',
      demo: true,
    })
    expect(config.fileHosts.map((host) => host.label)).toEqual([
      'Project Gutenberg',
      'PGLAF Mirror',
      'Internet Archive',
    ])
  })

  it('is no demo with a database or an administrator of its own', () => {
    expect(readConfig({ DATABASE_URL: 'postgresql://localhost/daybook' }).demo).toBe(false)
    expect(readConfig({ ADMIN_EMAIL: 'me@library.example' }).demo).toBe(false)
    expect(readConfig({ DATABASE_URL: 'postgresql://localhost/daybook', DEMO: '1' }).demo).toBe(true)
    expect(readConfig({ DEMO: '0' }).fileHosts.map((host) => host.label)).toEqual(['Mega', 'Gofile', 'Pixeldrain'])
  })

  it('reads three file hosts, with or without a wildcard', () => {
    const hosts = [
      { label: 'One', domains: ['*.One.example'] },
      { label: 'Two', domains: ['two.example', 'b.example'] },
      { label: 'Three', domains: ['three.example'] },
    ]
    expect(readConfig({ FILE_HOSTS: JSON.stringify(hosts) }).fileHosts[0]).toEqual({
      label: 'One',
      domains: ['one.example'],
    })
  })

  it('keeps the origin of the public address', () => {
    expect(readConfig({ PUBLIC_URL: 'https://library.example/' })).toMatchObject({
      publicUrl: 'https://library.example',
      publicUrlIsSet: true,
    })
  })

  it('reads networks with a comma between two, and an address as a network of one', () => {
    expect(readConfig({}).trustedProxies).toEqual([])
    expect(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32,192.0.2.1 , ::1,' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      '2001:db8::/32',
      '192.0.2.1/32',
      '::1/128',
    ])
  })

  it.each([
    ['TRUSTED_PROXIES', 'loopback'],
    ['TRUSTED_PROXIES', '10.0.0.0/8;192.0.2.1'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10/8'],
    ['TRUSTED_PROXIES', '010.0.0.0/8'],
    ['REDIS_URL', 'cache.internal:6379'],
    ['REDIS_URL', 'http://cache.internal'],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['HOST', 'not a host'],
    ['PUBLIC_URL', 'library.example'],
    ['PUBLIC_URL', 'https://library.example/shop'],
    ['PUBLIC_URL', 'https://me:secret@library.example'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['CONTACT_EMAIL', 'nobody'],
    ['DMCA_EMAIL', 'a@b'],
    ['COMMUNITY_URL', 'javascript:alert(1)'],
    ['VIP_COMMUNITY_URL', 'somewhere'],
    ['SITE_TIME_ZONE', 'Mars/Olympus'],
    ['SITE_TIME_ZONE', '+05:30'],
    ['DEMO', 'perhaps'],
    ['GATEWAY_PROVIDER', 'adfly'],
    ['LOG_LEVEL', 'loud'],
    ['FILE_HOSTS', 'mega.nz'],
    ['FILE_HOSTS', '[]'],
    [
      'FILE_HOSTS',
      '[{"label":"A","domains":["a"]},{"label":"B","domains":["b.example"]},{"label":"C","domains":["c.example"]}]',
    ],
    ['ANSWER_CACHE_MB', '-1'],
    ['BRAND_NAME', 'x'.repeat(61)],
  ])('%s=%s stops the start and is named', (variable, value) => {
    expect(() => readConfig({ [variable]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [variable]: value })).toThrow(variable)
  })

  it('never repeats the password of a database address', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://root:secret@localhost' })).toThrow(/^(?!.*secret)/)
    expect(() => readConfig({ REDIS_URL: 'http://root:secret@localhost' })).toThrow(/^(?!.*secret)/)
  })

  describe('of payments', () => {
    const keys = {
      STRIPE_SECRET_KEY: 'sk_test_abc123',
      STRIPE_WEBHOOK_SECRET: 'whsec_abc123',
      STRIPE_PRICE_MONTHLY: 'price_1Month',
      STRIPE_PRICE_ANNUAL: 'price_1Year',
    }

    it('has the sandbox answer without keys, at an address where nobody is until it runs', () => {
      const { payments, graceDays, termsFile, privacyFile } = readConfig({})
      expect(payments).toMatchObject({ isSandbox: true, isLive: false, webhookSecrets: [] })
      expect(payments.apiBase).toBe('http://127.0.0.1:0')
      expect({ graceDays, termsFile, privacyFile }).toEqual({
        graceDays: 7,
        termsFile: undefined,
        privacyFile: undefined,
      })
      expect(readConfig({ STRIPE_SECRET_KEY: '  ', STRIPE_PRICE_ANNUAL: '' }).payments.isSandbox).toBe(true)
    })

    it('speaks to Stripe with keys', () => {
      expect(readConfig(keys).payments).toEqual({
        isSandbox: false,
        secretKey: 'sk_test_abc123',
        webhookSecrets: ['whsec_abc123'],
        prices: { monthly: ['price_1Month'], annual: ['price_1Year'] },
        apiBase: undefined,
        isLive: false,
      })
    })

    it.each([
      ['sk_live_abc', true],
      ['rk_live_abc', true],
      ['sk_test_live_abc', false],
      ['rk_test_abc', false],
    ])('knows by the key whether real money moves: %s', (key, isLive) => {
      expect(readConfig({ ...keys, STRIPE_SECRET_KEY: key }).payments.isLive).toBe(isLive)
    })

    it('takes two webhook secrets and several prices, of which the first is sold', () => {
      const { webhookSecrets, prices } = readConfig({
        ...keys,
        STRIPE_WEBHOOK_SECRET: 'whsec_the_new_one, whsec_the_old_one',
        STRIPE_PRICE_MONTHLY: 'price_now,price_former , price_first',
      }).payments
      expect(webhookSecrets).toEqual(['whsec_the_new_one', 'whsec_the_old_one'])
      expect(prices.monthly).toEqual(['price_now', 'price_former', 'price_first'])
    })

    it('takes another address of the interface, in clear only without a live key or on this machine', () => {
      const base = (STRIPE_API_BASE: string, STRIPE_SECRET_KEY = keys.STRIPE_SECRET_KEY) =>
        readConfig({ ...keys, STRIPE_SECRET_KEY, STRIPE_API_BASE }).payments.apiBase
      expect(base('http://stripe.internal:12111')).toBe('http://stripe.internal:12111')
      expect(base('https://stripe.example/', 'sk_live_abc')).toBe('https://stripe.example')
      for (const local of ['http://localhost:12111', 'http://127.0.0.1:12111', 'http://[::1]:12111']) {
        expect(base(local, 'sk_live_abc')).toBe(local)
      }
      for (const far of ['http://stripe.internal', 'http://127.0.0.1.example', 'http://localhost.example']) {
        expect(() => base(far, 'sk_live_abc')).toThrow('STRIPE_API_BASE')
      }
    })

    it.each([
      ['STRIPE_SECRET_KEY', 'pk_live_hushhush'],
      ['STRIPE_SECRET_KEY', 'sk_hushhush'],
      ['STRIPE_SECRET_KEY', 'sk_live_hush hush'],
      ['STRIPE_SECRET_KEY', 'whsec_hushhush'],
      ['STRIPE_SECRET_KEY', ''],
      ['STRIPE_WEBHOOK_SECRET', ''],
      ['STRIPE_WEBHOOK_SECRET', ','],
      ['STRIPE_WEBHOOK_SECRET', 'whsec_hushhush,'],
      ['STRIPE_WEBHOOK_SECRET', 'whsec_hush hush'],
      ['STRIPE_WEBHOOK_SECRET', 'hush'],
      ['STRIPE_WEBHOOK_SECRET', 'whsec_hushhush1,whsec_hushhush2,whsec_hushhush3'],
      ['STRIPE_PRICE_MONTHLY', ''],
      ['STRIPE_PRICE_MONTHLY', 'price_1,'],
      ['STRIPE_PRICE_MONTHLY', 'price_1,price_1'],
      ['STRIPE_PRICE_MONTHLY', 'twelve dollars'],
      ['STRIPE_PRICE_ANNUAL', ''],
      ['STRIPE_PRICE_ANNUAL', 'price_1Month'],
      ['STRIPE_PRICE_ANNUAL', 'price_new,price_1Month'],
      ['STRIPE_API_BASE', 'stripe.example'],
      ['STRIPE_API_BASE', 'https://stripe.example/v1'],
      ['STRIPE_API_BASE', 'ftp://stripe.example'],
      ['GRACE_DAYS', '-1'],
      ['GRACE_DAYS', '61'],
      ['GRACE_DAYS', 'a week'],
      ['TERMS_FILE', '/there/is/no/such/file.md'],
      ['PRIVACY_FILE', '/there/is/no/such/file.md'],
    ])('%s=%s stops the start and is named, without a secret', (variable, value) => {
      const read = () => readConfig({ ...keys, [variable]: value })
      expect(read).toThrow(ConfigError)
      expect(read).toThrow(new RegExp(`^${variable} must be (?!.*hush)`))
      expect(read).toThrow(/^(?!.*abc123)/)
    })

    it.each(['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_MONTHLY', 'STRIPE_PRICE_ANNUAL', 'STRIPE_API_BASE'] as const)(
      'is not settled by halves: %s alone stops the start',
      (variable) => {
        const value = 'https://hush.example'
        expect(() => readConfig({ [variable]: value })).toThrow(
          new RegExp(`^STRIPE_SECRET_KEY must be set where ${variable} is(?!.*hush)`),
        )
      },
    )
  })
})
