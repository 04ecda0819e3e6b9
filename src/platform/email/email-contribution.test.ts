import { expect, test } from 'vitest'
import { type EmailTemplates, registerEmails } from './email-contribution.ts'
import type { Email, Template } from './mail.ts'

const emailTo = (address: string): Email => ({ to: { address }, subject: 'News', text: '', html: '' })

const purposes = ['security', 'receipt', 'requested', 'work', 'news'] as const

test('an address that nobody has confirmed gets everything but news', async () => {
  const templates = new Map<string, Template>()
  const mail = { register: (kind: string, template: Template) => void templates.set(kind, template) }
  const contributed: EmailTemplates<object> = Object.fromEntries(
    purposes.map((purpose) => [
      purpose,
      { urgency: 'usual', purpose, write: (_app, { to }) => Promise.resolve(emailTo(String(to))) } as const,
    ]),
  )
  const isUnconfirmed = (address: string): Promise<boolean> => Promise.resolve(address === 'new@readers.example')
  registerEmails({ mail } as never, contributed, isUnconfirmed)
  const sentTo = async (to: string): Promise<string[]> => {
    const written = await Promise.all(
      [...templates].map(async ([kind, write]) => ((await write({ to }, 'id')) === undefined ? [] : [kind])),
    )
    return written.flat()
  }
  expect(await sentTo('jane@readers.example')).toEqual([...purposes])
  expect(await sentTo('new@readers.example')).toEqual(['security', 'receipt', 'requested', 'work'])
})
