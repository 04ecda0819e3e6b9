import { beforeAll, expect, it, test } from 'vitest'
import { someItems, type MadeItem } from '../../../../tests/harness/items.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { issueTicket } from '../gateway/ticket.server.ts'
import { matchReported, readReported } from './match-reported.server.ts'

let alice: MadeItem
let hidden: MadeItem
const opened = appOfFile({ env: { PUBLIC_URL: 'https://library.example', PAYMENTS: 'off' } })

beforeAll(async () => {
  ;[alice, hidden] = (await someItems(opened.app, [
    { name: 'Alice in Wonderland' },
    { name: 'Hidden', contentType: 'vip-asian', status: 'restricted' },
  ])) as [MadeItem, MadeItem]
})

const matched = async (...urls: string[]) => matchReported(opened.app.db, await readReported(opened.app, urls))

it.each([
  'https://library.example/western/alice-in-wonderland',
  'http://library.example/western/alice-in-wonderland/',
  'HTTPS://LIBRARY.EXAMPLE/WESTERN/ALICE-IN-WONDERLAND',
  'https://library.example/western/Alice-In-Wonderland?from=mail#downloads',
  'https://library.example/%77estern/alice%2Din-wonderland',
  'https://library.example//western//alice-in-wonderland',
  'https://library.example/asian/alice-in-wonderland',
  'https://library.example/banned/alice-in-wonderland',
  'https://library.example/vip-western/alice-in-wonderland',
  'https://library.example/westerncontent/alice-in-wonderland',
  'https://library.example/asiancontent/alice-in-wonderland',
  'https://library.example/western/alice-in-wonderland.data',
  'https://library.example/go/alice-in-wonderland/linkG',
  'https://www.library.example/western/alice-in-wonderland',
  'https://former-name.example/western/alice-in-wonderland',
  'http://localhost:3000/western/alice-in-wonderland',
  'http://127.0.0.1:3000/western/alice-in-wonderland',
  'library.example/western/alice-in-wonderland',
  'localhost:3000/western/alice-in-wonderland',
  '//library.example/western/alice-in-wonderland',
  '/western/alice-in-wonderland',
  'western/alice-in-wonderland',
  'alice-in-wonderland',
  '  <https://library.example/western/alice-in-wonderland>, ',
  '"https://library.example/western/alice-in-wonderland".',
])('%s leads to the entry', async (url) => {
  expect(await matched(url)).toEqual([{ id: alice.id }])
})

const address = 'https://library.example/western/alice-in-wonderland'

it.each([
  `See ${address} please`,
  `1. ${address}`,
  `2) ${address}`,
  `- ${address}`,
  `URL: ${address}`,
  `URL:${address}`,
  '- alice-in-wonderland',
  `${address}\u200B`,
  `${address}%E2%80%8B`,
  `https://library.example/western/alice-\u00ADin-wonderland`,
  `${address}!`,
  `${address}?!…`,
  `[${address}]`,
  `[this picture](${address})`,
  `**${address}**`,
  `${address}, second picture`,
  `${address};`,
  `${address}%2F`,
  `${address}%22`,
  '/report?entry=/western/alice-in-wonderland',
  'https://library.example/report/other?entry=%2Fwestern%2Falice-in-wonderland',
  `view-source:${address}`,
  `https://web.archive.org/web/2020/${address}`,
  `https://web.archive.org/web/2020id_/http:/library.example/western/alice-in-wonderland`,
  'web.archive.org/web/2020*/library.example/western/alice-in-wonderland',
  `view-source:https://web.archive.org/web/2020/${address}?ref=https://elsewhere.example/`,
  `https://translate.example/translate?sl=en&u=${address}`,
  `https://proxy.example/?url=${encodeURIComponent(address)}`,
  `https://proxy.example/${encodeURIComponent(address)}`,
  `https://proxy.example/?url=${encodeURIComponent('https://library.example/report?entry=/western/alice-in-wonderland')}`,
  'https://library-example.translate.example/western/alice-in-wonderland?_x_tr_sl=en',
  'http:/library.example/western/alice-in-wonderland',
  'https:\\\\library.example\\western\\alice-in-wonderland',
  'hxxps://library.example/western/alice-in-wonderland',
  'https://***/western/alice-in-wonderland',
])('%s leads to the entry, as people type and paste it', async (typed) => {
  expect(await matched(typed)).toEqual([{ id: alice.id }])
})

test('a ticket of the gateway leads to its entry, an altered one to none', async () => {
  const ticket = await issueTicket(opened.app, { slug: alice.slug, slot: 'link' })
  expect(await matched(`https://library.example/go/${ticket}`, `/go/${ticket.slice(0, -2)}AA`)).toEqual([
    { id: alice.id },
    null,
  ])
})

test('the address of a form and of a call by id lead to their entry, of whatever status', async () => {
  expect(
    await matched(
      `https://library.example/admin/settings?edit=${hidden.id}`,
      `https://library.example/api/items/${hidden.id.toUpperCase()}`,
      'https://library.example/vip-asian/hidden',
    ),
  ).toEqual([{ id: hidden.id }, { id: hidden.id }, { id: hidden.id }])
})

it.each([
  '',
  ' ',
  'https://library.example/',
  'https://library.example/western',
  'https://library.example/western/unknown',
  'https://library.example/alice-in-wonderland',
  'https://library.example/western/alice-in-wonderland/more',
  'https://library.example/western/alice%00',
  'https://[',
  'library.example',
  'no such thing',
  'an image of alice-in-wonderland',
  'and/or',
  '/',
  'http:/library.example/alice-in-wonderland',
  'https://library.example/go/short',
  'https://library.example/api/items/not-an-id',
])('%j leads to none', async (url) => {
  expect(await matched(url)).toEqual([null])
})

test('many are matched in their order', async () => {
  expect(await matched('unknown', 'alice-in-wonderland', '/vip/hidden', 'alice-in-wonderland')).toEqual([
    null,
    { id: alice.id },
    { id: hidden.id },
    { id: alice.id },
  ])
})
