import { generateKeyPairSync } from 'node:crypto'
import { afterAll, describe, expect, it, test } from 'vitest'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, ConfigErrors } from '../platform/config/config.ts'
import { readConfig } from './config.ts'

describe('readConfig', () => {
  it('needs nothing', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      hosts: ['127.0.0.1', '::1'],
      isPublic: false,
      port: 3000,
      publicUrl: 'http://localhost:3000',
      publicUrlIsSet: false,
      databaseUrl: undefined,
      brandName: 'Daybook',
      timeZone: 'UTC',
      clientApiKey: 'daybook-web',
      gateway: { provider: 'local', account: '', publicKey: '', raw: false, waitSeconds: 5 },
      demo: true,
      hasDemoAccounts: true,
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

  it('reads whose holidays are no business days', () => {
    expect(readConfig({}).holidays).toBe('US')
    expect(readConfig({ HOLIDAYS: 'de-by' }).holidays).toBe('DE-BY')
  })

  it('keeps the origin of the public address', () => {
    expect(readConfig({ PUBLIC_URL: 'https://library.example/', PAYMENTS: 'off' })).toMatchObject({
      publicUrl: 'https://library.example',
      publicUrlIsSet: true,
    })
  })

  it('reads whom to tell of a weakness: an address of email or of the web', () => {
    expect(readConfig({}).securityContact).toBeUndefined()
    expect(readConfig({ SECURITY_CONTACT: 'desk@library.example' }).securityContact).toBe('mailto:desk@library.example')
    expect(readConfig({ SECURITY_CONTACT: 'https://library.example/security' }).securityContact).toBe(
      'https://library.example/security',
    )
  })

  it('takes a role that migrates beside the one that runs, and not alone', () => {
    const [runs, migrates] = ['postgresql://runs@localhost/daybook', 'postgresql://migrates@localhost/daybook']
    expect(readConfig({ DATABASE_URL: runs, MIGRATION_DATABASE_URL: migrates }).migrationDatabaseUrl).toBe(migrates)
    for (const name of ['MIGRATION_DATABASE_URL', 'DATABASE_DIRECT_URL'])
      expect(() => readConfig({ [name]: migrates })).toThrow(`DATABASE_URL must be set where ${name} is`)
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
    ['MIGRATION_DATABASE_URL', 'mysql://localhost'],
    ['DATABASE_DIRECT_URL', 'mysql://localhost'],
    ['SECURITY_CONTACT', 'nobody'],
    ['SECURITY_CONTACT', 'http://library.example/security'],
    ['SECURITY_CONTACT', 'desk@library.example\nContact: mailto:x@evil.example'],
    ['SECURITY_CONTACT', 'javascript:alert(1)'],
    ['CONTACT_EMAIL', 'nobody'],
    ['DMCA_EMAIL', 'a@b'],
    ['COMMUNITY_URL', 'javascript:alert(1)'],
    ['SUPPORT_FORM_URL', 'https://u:p@forms.example/x'],
    ['VIP_COMMUNITY_URL', 'somewhere'],
    ['SITE_TIME_ZONE', 'Mars/Olympus'],
    ['SITE_TIME_ZONE', '+05:30'],
    ['HOLIDAYS', 'Germany'],
    ['HOLIDAYS', 'DE_BY'],
    ['HOLIDAYS', 'DE-BY-A-B'],
    ['DEMO', 'perhaps'],
    ['GATEWAY_PROVIDER', 'adfly'],
    ['GATEWAY_WAIT_SECONDS', '-1'],
    ['GATEWAY_WAIT_SECONDS', '601'],
    ['GATEWAY_WAIT_SECONDS', 'five'],
    ['LINKVERTISE_ACCOUNT', 'mine'],
    ['LINKVERTISE_ACCOUNT', '0123'],
    ['LINKVERTISE_PUBLIC_KEY', 'no key'],
    ['LINKVERTISE_RAW', 'yes'],
    ['LINK_CHECK_PORTS', '8080;8443'],
    ['LINK_CHECK_PORTS', '0'],
    ['LINK_CHECK_PORTS', '65536'],
    ['LINK_CHECK_PORTS', '8080,,'],
    ['LOG_LEVEL', 'loud'],
    ['FILE_HOSTS', 'mega.nz'],
    ['FILE_HOSTS', '[]'],
    [
      'FILE_HOSTS',
      '[{"label":"A","domains":["a"]},{"label":"B","domains":["b.example"]},{"label":"C","domains":["c.example"]}]',
    ],
    ['ANSWER_CACHE_MB', '-1'],
    ['SERVE_WITHOUT_DATABASE_SECONDS', '0'],
    ['BRAND_NAME', 'x'.repeat(61)],
    ['ACCESS_DENIED_MESSAGE', 'x'.repeat(301)],
  ])('%s=%s stops the start and is named', (variable, value) => {
    expect(() => readConfig({ [variable]: value })).toThrow(ConfigError)
    expect(() => readConfig({ [variable]: value })).toThrow(variable)
  })

  it('reads a gateway that can work, and one without an account of its own, which stays off', () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    const linkvertise = { GATEWAY_PROVIDER: 'linkvertise', LINKVERTISE_ACCOUNT: '77', LINKVERTISE_PUBLIC_KEY: key }
    expect(readConfig({ ...linkvertise, LINKVERTISE_RAW: '1', GATEWAY_WAIT_SECONDS: '0' }).gateway).toEqual({
      provider: 'linkvertise',
      account: '77',
      publicKey: key,
      raw: true,
      waitSeconds: 0,
    })
    expect(readConfig({ GATEWAY_PROVIDER: 'off' }).gateway.provider).toBe('off')
    // With an account and without a key it could never work.
    expect(() => readConfig({ ...linkvertise, LINKVERTISE_PUBLIC_KEY: '' })).toThrow('LINKVERTISE_PUBLIC_KEY')
    for (const account of ['', '518238'])
      expect(readConfig({ GATEWAY_PROVIDER: 'linkvertise', LINKVERTISE_ACCOUNT: account }).gateway.account).toBe(
        account,
      )
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
      const { payments, graceDays, earlyAccessDays, termsFile, privacyFile } = readConfig({})
      expect(payments).toMatchObject({ isSandbox: true, isLive: false, webhookSecrets: [] })
      expect(payments.apiBase).toBe('http://127.0.0.1:0')
      expect({ graceDays, earlyAccessDays, termsFile, privacyFile }).toEqual({
        graceDays: 7,
        earlyAccessDays: 0,
        termsFile: undefined,
        privacyFile: undefined,
      })
      expect(readConfig({ STRIPE_SECRET_KEY: '  ', STRIPE_PRICE_ANNUAL: '' }).payments.isSandbox).toBe(true)
    })

    it('speaks to Stripe with keys', () => {
      expect(readConfig(keys).payments).toEqual({
        isSandbox: false,
        isOff: false,
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
      const site = isLive ? { PUBLIC_URL: 'https://library.example' } : {}
      expect(readConfig({ ...keys, ...site, STRIPE_SECRET_KEY: key }).payments.isLive).toBe(isLive)
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
        readConfig({ ...keys, PUBLIC_URL: 'https://library.example', STRIPE_SECRET_KEY, STRIPE_API_BASE }).payments
          .apiBase
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
      ['EARLY_ACCESS_DAYS', '-1'],
      ['EARLY_ACCESS_DAYS', '91'],
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

describe('modes: a site is public', () => {
  const stripe = {
    STRIPE_SECRET_KEY: 'sk_test_ofTheModes',
    STRIPE_WEBHOOK_SECRET: 'whsec_ofTheModes',
    STRIPE_PRICE_MONTHLY: 'price_1Month',
    STRIPE_PRICE_ANNUAL: 'price_1Year',
  }
  const live = { ...stripe, STRIPE_SECRET_KEY: 'sk_live_ofTheModes' }
  const publicSites = [
    { PUBLIC_URL: 'https://library.example' },
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '192.0.2.7' },
    { HOST: 'library.internal' },
    { HOST: '127.0.0.1', PUBLIC_URL: 'https://library.example' },
  ]
  const [site] = publicSites as [(typeof publicSites)[0]]

  test.each(publicSites)('with %j', (env) => {
    const read = (more: Record<string, string>) => readConfig({ ...env, ...more })
    expect(read({ PAYMENTS: 'off' })).toMatchObject({ isPublic: true, demo: false, hasDemoAccounts: false })
    // Nothing is taken for granted: neither the sandbox nor to sell nothing.
    expect(() => read({})).toThrow(
      /^PAYMENTS must be said on a public site without Stripe's keys: stripe .* off .* sandbox/,
    )
    expect(read({ PAYMENTS: 'sandbox' }).payments).toMatchObject({ isSandbox: true, isOff: false })
    expect(read({ PAYMENTS: 'off' }).payments).toMatchObject({ isSandbox: false, isOff: true, isLive: false })
    expect(read(stripe).payments).toMatchObject({ isSandbox: false, isOff: false })
    // The demo's catalogue when it is asked for, its accounts never.
    expect(read({ ...stripe, DEMO: '1' })).toMatchObject({ demo: true, hasDemoAccounts: false })
  })

  test('asks administrators for a second factor once its address is https, unless told otherwise', () => {
    const asks = (env: Record<string, string>) => readConfig({ PAYMENTS: 'off', ...env }).requiresAdminSecondFactor
    expect(asks({})).toBe(false)
    expect(asks({ HOST: '0.0.0.0', PUBLIC_URL: 'http://library.example' })).toBe(false)
    expect(asks({ PUBLIC_URL: 'https://library.example' })).toBe(true)
    expect(asks({ PUBLIC_URL: 'https://library.example', REQUIRE_ADMIN_SECOND_FACTOR: '0' })).toBe(false)
    expect(asks({ REQUIRE_ADMIN_SECOND_FACTOR: '1' })).toBe(true)
    expect(() => asks({ REQUIRE_ADMIN_SECOND_FACTOR: 'yes' })).toThrow(/^REQUIRE_ADMIN_SECOND_FACTOR must be 0 or 1/)
  })

  test.each([
    {},
    { HOST: '127.0.0.1' },
    { HOST: '127.8.9.10' },
    { HOST: '::1' },
    { HOST: '::ffff:127.0.0.1' },
    { HOST: 'localhost' },
    { HOST: 'LOCALHOST', PUBLIC_URL: 'http://library.example' },
  ])('and not with %j', (env) => {
    const config = readConfig(env)
    expect(config).toMatchObject({ isPublic: false, demo: true, hasDemoAccounts: true })
    expect(config.payments.isSandbox).toBe(true)
    expect(() =>
      readConfig({ ...env, TRUSTED_PROXIES: '0.0.0.0/0', SMTP_URL: 'smtp://me:changeme@mail' }),
    ).not.toThrow()
  })

  test.each(['0.0.0.0/0', '0.0.0.0/1, 128.0.0.0/1', '::/0', '2000::/3', '10.0.0.0/8, 0.0.0.0/0', '::ffff:0:0/96'])(
    'and believes the forwarding headers of everybody not: TRUSTED_PROXIES=%s',
    (value) => {
      expect(() => readConfig({ ...site, PAYMENTS: 'off', TRUSTED_PROXIES: value })).toThrow(/^TRUSTED_PROXIES must be/)
    },
  )

  test.each(['10.0.0.0/8', 'fc00::/7', 'fd00::/8', 'fd12:3456::/32', 'fe80::/10', '::1'])(
    'and believes those of private networks: TRUSTED_PROXIES=%s',
    (value) => {
      expect(readConfig({ ...site, PAYMENTS: 'off', TRUSTED_PROXIES: value }).trustedProxies).toHaveLength(1)
    },
  )

  test.each([
    ['STRIPE_SECRET_KEY', 'sk_live_changeme'],
    ['STRIPE_SECRET_KEY', 'sk_test_change_me'],
    ['STRIPE_SECRET_KEY', 'sk_live_xxx'],
    ['STRIPE_SECRET_KEY', 'rk_live_XXXXXXXXXXXXXXXXXXXXXXXX'],
    ['STRIPE_SECRET_KEY', 'sk_live_example'],
    ['STRIPE_SECRET_KEY', 'sk_live_your_key_here'],
    ['STRIPE_SECRET_KEY', 'sk_live_000000000000000000000000'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_changeme'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_R3aLOne5, whsec_placeholder'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_...'],
    ['STRIPE_PRICE_MONTHLY', 'price_changeme'],
    ['STRIPE_PRICE_ANNUAL', 'price_xxx'],
    ['ADMIN_PASSWORD', 'changeme'],
    ['ADMIN_PASSWORD', 'xxxxxxxxxxxx'],
    ['DATABASE_URL', 'postgresql://daybook:changeme@db/daybook'],
    ['MIGRATION_DATABASE_URL', 'postgresql://owner:changeme@db/daybook'],
    ['DATABASE_DIRECT_URL', 'postgresql://daybook:changeme@db/daybook'],
    ['REDIS_URL', 'redis://:change-me@cache'],
    ['SMTP_URL', 'smtp://desk:example@mail.internal'],
    // As the guide has it.
    ['SMTP_URL', 'smtp://user:password@mail.example:587'],
    ['DATABASE_URL', 'postgresql://daybook:secret@db/daybook'],
    ['EVIDENCE_URL', 'https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket?region=eu-central-1'],
  ])('and has no placeholder for a secret: %s=%s', (variable, value) => {
    const read = () => readConfig({ ...site, ...stripe, ADMIN_EMAIL: 'head@library.example', [variable]: value })
    expect(read).toThrow(new RegExp(`^${variable} must be `))
    if (!variable.startsWith('STRIPE_PRICE')) expect(read).not.toThrow(value)
  })

  test('keys that were really given out are taken', () => {
    for (const own of ['51NxAmplE0tRaNdOm4242', 'xX9xxxQ2m', '0', 'a1b2c3d4e5f6']) {
      const env = { ...site, ...stripe, STRIPE_SECRET_KEY: `sk_live_${own}`, STRIPE_WEBHOOK_SECRET: `whsec_${own}more` }
      expect(readConfig(env).payments.isLive).toBe(true)
    }
  })

  test('live keys need the https address of the site, wherever it listens', () => {
    expect(readConfig({ ...live, ...site }).payments.isLive).toBe(true)
    for (const env of [{}, { HOST: '0.0.0.0' }, { PUBLIC_URL: 'http://library.example' }]) {
      expect(() => readConfig({ ...live, ...env })).toThrow(/^PUBLIC_URL must be the https address/)
    }
    expect(() => readConfig({ ...live, STRIPE_SECRET_KEY: 'sk_live_changeme' })).toThrow(/^STRIPE_SECRET_KEY must be/)
  })

  test.each([
    [{ PAYMENTS: 'paypal' }, /^PAYMENTS must be one of stripe, sandbox, off/],
    [{ PAYMENTS: 'stripe' }, /^STRIPE_SECRET_KEY must be set where PAYMENTS is stripe/],
    [{ ...stripe, PAYMENTS: 'sandbox' }, /^PAYMENTS must be stripe or off where STRIPE_SECRET_KEY is set/],
  ])('%j is invalid on every site', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
    expect(() => readConfig({ ...env, ...site })).toThrow(sentence)
  })

  test('payments that are off ask for no keys, and use none', () => {
    expect(readConfig({ PAYMENTS: 'off' }).payments.isOff).toBe(true)
    const { payments } = readConfig({ ...live, ...site, PAYMENTS: 'off' })
    expect(payments).toMatchObject({ isOff: true, isLive: false })
    expect(payments.secretKey).not.toContain('sk_live')
  })
})

describe('a value that cannot be meant is refused under the name of its variable, and without a secret', () => {
  const refusalOf = (env: Record<string, string>): ConfigError => {
    try {
      readConfig(env)
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
      return error as ConfigError
    }
    throw new Error('The setting was taken.')
  }

  test.each([
    ['DEMO', 'perhaps'],
    ['COMMUNITY_URL', 'javascript:alert(1)'],
    ['CONTACT_EMAIL', 'nobody'],
    ['GATEWAY_PROVIDER', 'carrier-pigeon'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'ftp://library.example'],
    ['SITE_TIME_ZONE', 'Mars/Olympus'],
    ['FILE_HOSTS', '[]'],
    ['DATABASE_URL', 'mysql://localhost/daybook'],
    ['REDIS_URL', 'http://localhost:6379'],
    ['SMTP_URL', 'mail.example'],
    ['MAIL_FROM', 'Library <nobody>'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, everybody'],
    ['PAYMENTS', 'paypal'],
    ['ADMIN_EMAIL', 'nobody'],
    ['EMBEDDED_SYNC', 'no'],
    ['EVIDENCE_URL', 's3.example/papers'],
    ['AUDIT_DAYS', '10'],
    ['NOTICE_DAYS', '364'],
    ['METRICS_TOKEN', 'short'],
  ])('%s=%s', (variable, value) => {
    expect(refusalOf({ DEMO: '0', PORT: '0', [variable]: value }).message).toContain(variable)
  })

  test.each([
    ['DATABASE_URL', { REDIS_URL: 'redis://cache', PAYMENTS: 'off' }],
    ['REDIS_URL', { DATABASE_URL: 'postgresql://db', PAYMENTS: 'off' }],
    ['PAYMENTS', { DATABASE_URL: 'postgresql://db', REDIS_URL: 'redis://cache' }],
  ])('several workers without %s', (variable, others) => {
    expect(refusalOf({ DEMO: '0', PORT: '0', WORKERS: '2', ...others }).message).toMatch(
      new RegExp(`^${variable} must be .* where WORKERS is more than 1. It is unset.$`),
    )
  })

  test('a password of the first administrator without an address', () => {
    const { variable, message } = refusalOf({ DEMO: '0', PORT: '0', ADMIN_PASSWORD: 'the head librarian' })
    expect(variable).toBe('ADMIN_EMAIL')
    // It is said whose address is missing, and not by the password itself.
    expect(message).toContain('ADMIN_PASSWORD')
    expect(message).not.toContain('the head librarian')
  })

  test.each([
    ['https://s3.example/papers', /an address like/],
    ['https://KEY@s3.example/papers', /an address like/],
    ['https://:verySecretKey1@s3.example/papers', /an address like/],
    ['https://KEY:verySecretKey1@s3.example/', /an address like/],
    ['http://KEY:verySecretKey1@s3.example/papers', /an https address, as evidence may not travel in clear/],
  ])('EVIDENCE_URL=%s', (address, sentence) => {
    const { message } = refusalOf({ DEMO: '0', PORT: '0', EVIDENCE_URL: address })
    expect(message).toContain('EVIDENCE_URL')
    expect(message).toMatch(sentence)
    expect(message).not.toContain('verySecret')
  })

  test.each([
    ['resend', 'whsec_%%%'],
    ['mailgun', 'verySecretWord1'],
    ['sendgrid', 'whsec_verySecretWord1'],
  ])('a webhook key of %s that is none', (MAIL_PROVIDER, MAIL_WEBHOOK_KEY) => {
    const { message } = refusalOf({ DEMO: '0', PORT: '0', MAIL_PROVIDER, MAIL_WEBHOOK_KEY })
    expect(message).toContain('MAIL_WEBHOOK_KEY')
    expect(message).not.toContain(MAIL_WEBHOOK_KEY)
  })

  test('a bucket is taken over https, and in clear on this machine alone', () => {
    for (const address of ['https://KEY:SECRET@s3.example/papers', 'http://KEY:SECRET@127.0.0.1:9000/papers'])
      expect(readConfig({ DEMO: '0', PORT: '0', EVIDENCE_URL: address }).evidenceUrl).toBe(address)
  })

  const keys = {
    STRIPE_SECRET_KEY: 'sk_live_verySecretKey1',
    STRIPE_WEBHOOK_SECRET: 'whsec_verySecretWord1',
    STRIPE_PRICE_MONTHLY: 'price_1',
    STRIPE_PRICE_ANNUAL: 'price_2',
    PUBLIC_URL: 'https://library.example',
  }
  test.each([
    ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: 'pk_live_verySecretKey1' }],
    ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: '' }],
    ['STRIPE_WEBHOOK_SECRET', { STRIPE_WEBHOOK_SECRET: '' }],
    ['STRIPE_WEBHOOK_SECRET', { STRIPE_WEBHOOK_SECRET: 'whsec_verySecretWord1,' }],
    ['STRIPE_PRICE_ANNUAL', { STRIPE_PRICE_ANNUAL: 'price_1' }],
    ['STRIPE_API_BASE', { STRIPE_API_BASE: 'http://stripe.example' }],
    ['GRACE_DAYS', { GRACE_DAYS: 'a week' }],
  ])('%s beside the other keys of Stripe: %j', (variable, wrong) => {
    const { message } = refusalOf({ DEMO: '0', PORT: '0', ...keys, ...wrong })
    expect(message).toContain(variable)
    expect(message).not.toContain('verySecret')
  })
})

describe('all faults are said at once', () => {
  const sentencesOf = (env: Record<string, string>): string[] => {
    try {
      readConfig(env)
    } catch (error) {
      return (error as Error).message.split('\n')
    }
    return []
  }

  test('of every feature, each in a line', () => {
    expect(() => readConfig({ PORT: 'http', AUDIT_DAYS: '1' })).toThrow(ConfigErrors)
    expect(
      sentencesOf({ PORT: 'http', AUDIT_DAYS: '1', GRACE_DAYS: 'x', LINK_CHECK_PORTS: '0', NOTICE_DAYS: '1' }),
    ).toEqual([
      'PORT must be a whole number from 0 to 65535. It is "http".',
      'AUDIT_DAYS must be a whole number from 30 to 36500. It is "1".',
      'GRACE_DAYS must be a whole number from 0 to 60. It is "x".',
      'LINK_CHECK_PORTS must be port numbers with a comma between two, like 8080, 8443. It is "0".',
      'NOTICE_DAYS must be a whole number from 365 to 36500. It is "1".',
    ])
  })

  test('and one that is missing is said to be unset', () => {
    expect(sentencesOf({ PAYMENTS: 'stripe' })).toEqual([
      'STRIPE_SECRET_KEY must be set where PAYMENTS is stripe. It is unset.',
    ])
    expect(
      sentencesOf({ STRIPE_SECRET_KEY: 'sk_test_abc' }).map((sentence) => sentence.replace(/ .* It/, ' … It')),
    ).toEqual(
      ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_MONTHLY', 'STRIPE_PRICE_ANNUAL'].map((name) => `${name} … It is unset.`),
    )
  })

  test('but none that only follows from another', () => {
    expect(sentencesOf({ PUBLIC_URL: 'https://library.example', STRIPE_SECRET_KEY: 'pk_live_abc' })).toContainEqual(
      `STRIPE_SECRET_KEY must be one of Stripe's secret keys, like sk_live_… or rk_test_…. It is "***".`,
    )
    expect(sentencesOf({ PUBLIC_URL: 'library.example', ADMIN_EMAIL: 'nobody', ADMIN_PASSWORD: 'x' })).toHaveLength(2)
  })
})

describe('a setting may stand in a file of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-config-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  test('without the line break at its end', () => {
    const config = readConfig({
      DATABASE_URL_FILE: file('database', 'postgresql://me:own@localhost/daybook\n'),
      ADMIN_EMAIL: 'head@library.example',
      ADMIN_PASSWORD_FILE: file('password', ' a password with spaces \r\n'),
      STRIPE_SECRET_KEY_FILE: file('key', 'sk_test_abc123\n'),
      STRIPE_WEBHOOK_SECRET_FILE: file('hook', 'whsec_abc123'),
      STRIPE_PRICE_MONTHLY: 'price_1',
      STRIPE_PRICE_ANNUAL: 'price_2',
    })
    expect(config).toMatchObject({
      databaseUrl: 'postgresql://me:own@localhost/daybook',
      demo: false,
      firstAdmin: { password: ' a password with spaces ' },
      payments: { secretKey: 'sk_test_abc123', webhookSecrets: ['whsec_abc123'] },
    })
  })

  test('which holds it, can be read, and stands alone', () => {
    const nowhere = join(folder, 'nowhere')
    const refused =
      /^DATABASE_URL_FILE must be the path of a file that can be read and holds DATABASE_URL\. It is ".+"\.$/
    expect(() => readConfig({ DATABASE_URL_FILE: nowhere })).toThrow(refused)
    expect(() => readConfig({ DATABASE_URL_FILE: folder })).toThrow(refused)
    expect(() => readConfig({ DATABASE_URL_FILE: file('empty', '\n') })).toThrow(refused)
    expect(() => readConfig({ DATABASE_URL: 'postgresql://localhost/a', DATABASE_URL_FILE: nowhere })).toThrow(
      /^DATABASE_URL_FILE must be unset where DATABASE_URL is set\./,
    )
  })

  test('and is shown as little as in the environment', () => {
    const path = file('wrong', 'mysql://root:hush@localhost')
    expect(() => readConfig({ DATABASE_URL_FILE: path })).toThrow(
      'DATABASE_URL must be an address that starts with postgresql://. It is "***".',
    )
    const site = { PUBLIC_URL: 'https://library.example', PAYMENTS: 'off' }
    expect(() => readConfig({ ...site, SMTP_URL_FILE: file('example', 'smtp://me:changeme@mail') })).toThrow(
      /^SMTP_URL must be a secret of your own/,
    )
  })

  test('whether it is a secret or not; those of payments are not read while they are off', () => {
    expect(readConfig({ PORT_FILE: file('port', '4000\n') }).port).toBe(4000)
    expect(readConfig({ TERMS_FILE_FILE: file('terms', file('terms.md', 'Terms')) }).termsFile).toBe(
      join(folder, 'terms.md'),
    )
    expect(() => readConfig({ PORT_FILE: file('no-port', 'http') })).toThrow('It is "http".')
    for (const name of ['STRIPE_SECRET_KEY_FILE', 'STRIPE_PRICE_MONTHLY_FILE'])
      expect(readConfig({ PAYMENTS: 'off', [name]: join(folder, 'nowhere') }).payments.isOff).toBe(true)
  })
})

describe('a settings file stands behind the environment', () => {
  const places = (environment: Record<string, string>, values: Record<string, string>) => [
    { name: 'environment', values: environment },
    { name: '/etc/daybook.env', values },
  ]
  const folder = mkdtempSync(join(tmpdir(), 'daybook-config-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const port = join(folder, 'port')
  writeFileSync(port, '4000\n')
  const nowhere = join(folder, 'nowhere')

  test.each([
    ['a value of the environment', { PORT: '5000' }, { PORT: '6000', DEMO: '0' }, 5000],
    ['also before a file that the settings file names', { PORT: '5000' }, { PORT_FILE: nowhere, DEMO: '0' }, 5000],
    ['a file that the environment names', { PORT_FILE: port }, { PORT: '6000', DEMO: '0' }, 4000],
    ['a file that the settings file names', { PORT: ' ' }, { PORT_FILE: port, DEMO: '0' }, 4000],
    ['its own value', {}, { PORT: '6000', DEMO: '0' }, 6000],
  ])('%s', (_which, environment, values, expected) => {
    expect(readConfig(places(environment, values))).toMatchObject({ port: expected, demo: false })
  })

  test('and faults in it are told with those of the environment, and name it', () => {
    const wrong = places(
      { PORT: 'http', DATABASE_URL: 'hush' },
      { GRACE_DAYS: 'x', REDIS_URL: 'hush', HOST: '::1', HOST_FILE: nowhere, DATABASE_URL: 'hush' },
    )
    expect(() => readConfig(wrong)).toThrow(
      new ConfigErrors([
        new ConfigError('PORT', 'a whole number from 0 to 65535', 'http'),
        new ConfigError('HOST_FILE', 'unset where HOST is set', nowhere, '/etc/daybook.env'),
        new ConfigError('DATABASE_URL', 'an address that starts with postgresql://', '***'),
        new ConfigError('REDIS_URL', 'an address like redis://cache.internal:6379', '***', '/etc/daybook.env'),
        new ConfigError('GRACE_DAYS', 'a whole number from 0 to 60', 'x', '/etc/daybook.env'),
      ]),
    )
    expect(() => readConfig(places({}, { PORT: 'x' }))).toThrow('It is "x" in /etc/daybook.env.')
  })

  test('each setting is shown with its value and where that is from, and no secret is', () => {
    const { settings } = readConfig(
      places(
        { PORT_FILE: port, PUBLIC_URL: 'https://library.example/', DATABASE_URL: 'postgresql://me:hush@db/daybook' },
        {
          PAYMENTS: 'off',
          STRIPE_SECRET_KEY_FILE: nowhere,
          DEMO: '1',
          DATABASE_URL: 'hush',
          SMTP_URL: 'smtp://hush@m',
        },
      ),
    )
    const shown = Object.fromEntries(settings.map(({ name, value, source }) => [name, [value, source]]))
    expect(shown).toMatchObject({
      DAYBOOK_ENV: ['/etc/daybook.env', 'default'],
      PORT: ['4000', 'PORT_FILE'],
      HOST: ['127.0.0.1,::1', 'default'],
      PUBLIC_URL: ['https://library.example/', 'environment'],
      DATABASE_URL: ['***', 'environment'],
      SMTP_URL: ['***', '/etc/daybook.env'],
      STRIPE_SECRET_KEY: ['***', 'STRIPE_SECRET_KEY_FILE'],
      REDIS_URL: ['', 'default'],
      DEMO: ['1', '/etc/daybook.env'],
      PAYMENTS: ['off', '/etc/daybook.env'],
      EMBEDDED_SYNC: ['on', 'default'],
      REQUIRE_ADMIN_SECOND_FACTOR: ['1', 'default'],
      MAIL_FROM: ['Daybook <contact@example.org>', 'default'],
      FILE_HOSTS: [expect.stringMatching(/^\[\{"label":"Project Gutenberg",/), 'default'],
      GATEWAY_WAIT_SECONDS: ['5', 'default'],
      LINK_CHECK_PORTS: ['', 'default'],
    })
    expect(JSON.stringify(settings)).not.toContain('hush')
    expect(settings.map(({ value }) => value)).not.toContain('[object Object]')
    expect(readConfig({}).settings.find(({ name }) => name === 'PAYMENTS')?.value).toBe('sandbox')
  })
})
