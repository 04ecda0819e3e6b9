import { expect, test } from 'vitest'
import { z } from 'zod'
import { registerEmails, templateOf } from './email-contribution.ts'
import { defineEmail, type EmailKind } from './email-kind.ts'
import type { Email, Template } from './mail.ts'

const emailTo = (address: string): Email => ({ to: { address }, subject: 'News', text: '', html: '' })

const purposes = ['security', 'receipt', 'requested', 'work', 'news'] as const

test('an address that nobody has confirmed gets everything but news', async () => {
  const templates = new Map<string, Template>()
  const mail = { register: ({ name }: EmailKind, template: Template) => void templates.set(name, template) }
  const data = z.object({ to: z.string() })
  const contributed = purposes.map((purpose) =>
    templateOf(defineEmail(purpose, { urgency: 'usual', purpose }, data), (_app: object, { to }) => emailTo(to)),
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
