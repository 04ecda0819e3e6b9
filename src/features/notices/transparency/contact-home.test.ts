import { expect, test } from 'vitest'
import { readContactStep } from './agent-home.server.ts'

const stepOf = (contactEmail: string, dmcaEmail: string) =>
  readContactStep({ texts: { inForce: { contactEmail, dmcaEmail } } } as Parameters<typeof readContactStep>[0])

test('The first step about addresses is open while one of them is a placeholder, and names it', async () => {
  const open = await stepOf('contact@example.org', 'dmca@example.org')
  expect(open).toMatchObject({ title: 'Say where people can write to you', isDone: false, to: '/admin/texts' })
  expect(open.help).toBe(
    'Still a placeholder that no email reaches: the contact address (contact@example.org) and the address for copyright notices (dmca@example.org).',
  )
  const half = await stepOf('desk@library.net', 'dmca@mail.library.example')
  expect([half.isDone, half.help]).toEqual([
    false,
    'Still a placeholder that no email reaches: the address for copyright notices (dmca@mail.library.example).',
  ])
})

test('It is done with two real addresses, or one for both, and tells them', async () => {
  expect(await stepOf('desk@library.net', 'dmca@example-library.org')).toMatchObject({
    isDone: true,
    help: 'People write to desk@library.net, and about copyright to dmca@example-library.org.',
  })
  expect((await stepOf('desk@library.net', 'desk@library.net')).help).toBe('People write to desk@library.net.')
})
