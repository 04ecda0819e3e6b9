import { describe, expect, test } from 'vitest'
import type { Reply } from '../../../../browser/api-client.ts'
import { checkoutOutcome, portalOutcome } from './payment-replies.ts'

const reply = (status: number, data: unknown): Reply => ({ ok: status < 300, status, data })
const checkout = 'https://checkout.example/c/1'
const portal = 'https://billing.example/p/1'
const unexplained = {
  sentence: 'Erro ao redirecionar para o Stripe.',
  language: 'pt-BR',
  detail: 'The payment page did not open. Nothing was charged; please try again in a minute.',
}

describe('the answer to a checkout', () => {
  test('leads to the page where one pays', () =>
    expect(checkoutOutcome(reply(200, { url: checkout }))).toEqual({ kind: 'pay', url: checkout }))

  test('leads to signing in when the session was rejected', () =>
    expect(checkoutOutcome(reply(401, { message: 'Please sign in first.' }))).toEqual({ kind: 'sign-in' }))

  test('names the portal to whoever has a subscription', () =>
    expect(checkoutOutcome(reply(409, { message: 'You have one.', code: 'checkout.subscribed', url: portal }))).toEqual(
      {
        kind: 'subscribed',
        sentence: 'You have one.',
        url: portal,
        isPortal: true,
      },
    ))

  test('names the account page to whoever is paying in another tab', () =>
    expect(
      checkoutOutcome(reply(409, { message: 'Paying.', code: 'checkout.paying', url: 'https://site.example/account' })),
    ).toEqual({ kind: 'subscribed', sentence: 'Paying.', url: 'https://site.example/account', isPortal: false }))

  test.each([
    ['the server’s sentence', reply(403, { error: 'No.', message: 'No.' }), { sentence: 'No.' }],
    ['a conflict without a portal', reply(409, { message: 'You have one.' }), { sentence: 'You have one.' }],
    ['no sentence', reply(502, undefined), unexplained],
    ['success without an address', reply(200, {}), unexplained],
  ])('says why nothing comes of it: %s', (_name, answer, message) =>
    expect(checkoutOutcome(answer)).toEqual({ kind: 'refused', message }),
  )

  test.each(['javascript:alert(1)', 'data:text/html,x', '/plans', 'nonsense', '', 7, null])(
    'follows nothing but a web address: %s',
    (url) => expect(checkoutOutcome(reply(200, { url })).kind).toBe('refused'),
  )
})

describe('the answer about the billing portal', () => {
  const sentence = 'Erro ao acessar o portal de gerenciamento. Tente novamente.'
  const tryAgain = 'The billing portal did not open. Please try again in a minute.'

  test('is its address', () => expect(portalOutcome(reply(200, { url: portal }))).toEqual({ url: portal }))

  test.each([
    ['with the server’s reason', reply(404, { message: 'There is none.' }), 'There is none.'],
    ['with none', reply(500, undefined), tryAgain],
    ['when no answer came', undefined, 'Network error. Please check your connection.'],
    ['when what came is no web address', reply(200, { url: 'javascript:alert(1)' }), tryAgain],
  ])('is refused %s', (_name, answer, detail) =>
    expect(portalOutcome(answer)).toEqual({ message: { sentence, language: 'pt-BR', detail } }),
  )
})
