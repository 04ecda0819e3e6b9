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
})
