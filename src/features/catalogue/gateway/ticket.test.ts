import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { linkSlots } from '../item/link-slots.ts'
import { readTicket, type Ticket, writeTicket } from './ticket.server.ts'

const secret = randomBytes(32)
const ticket: Ticket = { id: randomUUID(), slug: 'three-kingdoms', slot: 'linkG', issuedAt: 1_795_000_000 }

test('a ticket says what it is for, for every slot and the longest and shortest slug', () => {
  for (const slot of linkSlots) {
    for (const slug of ['a', 'three-kingdoms', 'x'.repeat(120)]) {
      const one = { ...ticket, slot, slug }
      const text = writeTicket(secret, one)
      expect(text).toMatch(/^[\w-]+$/)
      expect(readTicket(secret, text)).toEqual(one)
    }
  }
})

test('a ticket that was changed in any character, lengthened, cut or signed elsewhere is none', () => {
  const text = writeTicket(secret, ticket)
  for (let i = 0; i < text.length; i += 1) {
    const other = text[i] === 'A' ? 'B' : 'A'
    expect(readTicket(secret, text.slice(0, i) + other + text.slice(i + 1)), String(i)).toBeUndefined()
  }
  for (const wrong of [`${text}A`, `${text}=`, text.slice(1), text.slice(0, -1), '', 'ticket', `${text}\n`, ` ${text}`])
    expect(readTicket(secret, wrong), wrong).toBeUndefined()
  expect(readTicket(randomBytes(32), text)).toBeUndefined()
})
