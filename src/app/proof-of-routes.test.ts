import { expect, test } from 'vitest'
import { proofOf } from '../http/route.ts'
import { routes } from './server.ts'

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`

test('every write of an administrator needs a proof of the last hour, without saying so', () => {
  const writes = routes.filter(({ access, method }) => access === 'admin' && method !== 'GET')
  expect(writes.length).toBeGreaterThan(40)
  for (const route of writes) expect(proofOf(route), nameOf(route)).toBeLessThanOrEqual(60)
})

test('the calls that would give an account away need one of the last 15 minutes, and exports too', () => {
  const declared = Object.fromEntries(
    routes.flatMap((route) =>
      route.needsProofWithin === undefined ? [] : [[nameOf(route), route.needsProofWithin] as const],
    ),
  )
  expect(declared).toEqual({
    'POST /reset-password/account': 15,
    'POST /account/app-passwords': 15,
    'DELETE /account/app-passwords/:id': 15,
    'POST /account/feed-token': 15,
    'DELETE /account/feed-token': 15,
    'POST /account/saved-searches/:id/feed': 15,
    'DELETE /account/saved-searches/:id/feed': 15,
    'DELETE /auth/delete-account/:email': 15,
    'DELETE /auth/devices': 15,
    'DELETE /auth/devices/:id': 15,
    'POST /auth/address': 15,
    'POST /auth/passkeys/options': 15,
    'POST /auth/passkeys': 15,
    'DELETE /auth/passkeys/:id': 15,
    'POST /auth/totp': 15,
    'POST /auth/totp/confirm': 15,
    'DELETE /auth/totp': 15,
    'POST /auth/recovery-codes': 15,
    'DELETE /auth/sessions': 15,
    'DELETE /auth/sessions/:id': 15,
    'GET /auth/export': 15,
    'GET /api/people/:id/export': 15,
    'DELETE /api/people/:id': 15,
    'DELETE /api/people/:id/devices': 15,
    'DELETE /api/people/:id/factors': 15,
    'DELETE /api/people/:id/safety-officer': 15,
    'POST /api/people/:id/safety-officer': 15,
    'DELETE /api/people/:id/sessions': 15,
    'POST /api/people/:id/unlock': 15,
    'GET /api/member-export': 15,
    'GET /api/export': 60,
    'GET /api/audit/export': 60,
  })
})

test("every other write was looked at: it is anyone's, or gives nothing of the account away", () => {
  const writes = routes.filter((route) => route.method !== 'GET' && proofOf(route) === undefined)
  expect(writes.map(nameOf).sort()).toEqual([
    'DELETE /account/downloads',
    'DELETE /account/downloads/:slug',
    'DELETE /account/email-stop',
    'DELETE /account/saved-entries/:slug',
    'DELETE /account/saved-searches/:id',
    'DELETE /auth/address',
    'DELETE /recommendations/:id/vote',
    'POST /account/downloads',
    'POST /account/saved-searches',
    'POST /account/visit',
    'POST /auth/address/confirmation',
    'POST /auth/login',
    'POST /auth/logout',
    'POST /auth/proof',
    'POST /auth/proof/options',
    'POST /auth/register',
    'POST /confirm-address',
    'POST /downloads',
    'POST /forgot-password',
    'POST /links/report',
    'POST /pay/vip-payment',
    'POST /recommendations',
    'POST /reset-password',
    'POST /stripe-portal/create-portal-session',
    'POST /support',
    'POST /webhooks/mail/:provider',
    'POST /webhooks/stripe',
    'PUT /account/downloads',
    'PUT /account/saved-entries/:slug',
    'PUT /account/saved-searches/:id',
    'PUT /auth/passkeys/:id',
    'PUT /recommendations/:id/vote',
  ])
})
