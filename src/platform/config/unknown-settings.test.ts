import { expect, test } from 'vitest'
import { settings } from '../../app/config.ts'
import { unknownSettingInWords, unknownSettings } from './unknown-settings.ts'

const reported = (env: Record<string, string>) =>
  unknownSettings(env, settings).map(({ name, meant }) => (meant === undefined ? name : `${name}: ${meant}`))

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['PUBLIC_ULR', 'PUBLIC_URL'],
  ['PUPLIC_URI', 'PUBLIC_URL'],
  ['TRUSTED_PROXY', undefined],
  ['TRUSTED_PROXIS', 'TRUSTED_PROXIES'],
  ['PROT', 'PORT'],
  ['DEMOS', 'DEMO'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['PAYMENT', 'PAYMENTS'],
  ['STRIPE_PRICE_MONTLY', 'STRIPE_PRICE_MONTHLY'],
  ['STRIPE_SECRETKEY', 'STRIPE_SECRET_KEY'],
  ['STRIPE_PUBLISHABLE_KEY', undefined],
  ['GATEWAY_TIMEOUT_SECONDS', undefined],
  ['ADMIN_NAME', undefined],
])('%s is told, with %s as what is meant', (name, meant) => {
  expect(reported({ [name]: 'x' })).toEqual([meant === undefined ? name : `${name}: ${meant}`])
})

test('what other programs set is left alone', () => {
  const others = `PATH HOME USER LANG TERM PWD SHLVL SHELL HOSTNAME HOSTTYPE LOGNAME EDITOR TMPDIR TZ CI NODE_ENV NODE_OPTIONS
    http_proxy HTTPS_PROXY no_proxy npm_config_port npm_package_name npm_lifecycle_event INIT_CWD COLORTERM
    DATABASE_HOST DATABASE_PORT DATABASE_NAME DATABASE_USER DATABASE_USERNAME DATABASE_PASSWORD DATABASE_POOL DATABASE_PRIVATE_URL
    POSTGRES_URL POSTGRES_HOST PGHOST PGPORT PGDATA REDIS_HOST REDIS_PORT REDIS_TLS_URL REDISCLOUD_URL SMTP_HOST SMTP_PORT SMTP_USER
    SMTP_PASS SMTP_PASSWORD MAIL_HOST MAIL_PORT MAILTO MAIL SITE_URL SITE_NAME LOG_FORMAT LOG_FILE DATA DATA_PATH PUBLIC_IP
    KUBERNETES_SERVICE_HOST KUBERNETES_PORT_443_TCP_ADDR GATEWAY_SERVICE_HOST GATEWAY_SERVICE_PORT GATEWAY_PORT
    GATEWAY_PORT_80_TCP_ADDR GATEWAY_PORT_80_TCP STRIPE_CLI_TELEMETRY_OPTOUT RAILWAY_PUBLIC_DOMAIN FLY_APP_NAME RENDER_SERVICE_ID
    DYNO HEROKU_APP_NAME VERCEL_URL WEB_CONCURRENCY CLIENT_ID CLIENT_SECRET FILE_PATH PORT_FILE PORTS_FILE HOSTS_FILE
    INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET TEST_DATABASE_URL`
  const env = Object.fromEntries(others.split(/\s+/).map((name) => [name, 'x']))
  expect(reported(env)).toEqual([])
})

test('what is near to a setting is told beside that setting too, and nothing where it is empty', () => {
  expect(reported({ SMPT_URL: 'x', SMTP_URL: 'x' })).toEqual(['SMPT_URL: SMTP_URL'])
  expect(reported({ DATABASE_URI: 'x', DATABASE_URL: ' ' })).toEqual(['DATABASE_URI: DATABASE_URL'])
  expect(reported({ DATABASE_URI: '' })).toEqual([])
})

test('in a settings file every unknown name is told, once, and with the file', () => {
  const environment = { name: 'environment', values: { PGHOST: 'x', SMTP_URL: 'x' } }
  const file = { name: '/etc/daybook.env', values: { PGHOST: 'x', SMPT_URL: 'x', PORT: '1', DATA_DIR_FILE: 'x' } }
  expect(unknownSettings([environment, file], settings).map(unknownSettingInWords)).toEqual([
    'PGHOST in /etc/daybook.env is no setting of Daybook.',
    'SMPT_URL in /etc/daybook.env is no setting of Daybook: did you mean SMTP_URL?',
  ])
})
