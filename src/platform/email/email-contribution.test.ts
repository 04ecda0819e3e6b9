import { expect, test } from 'vitest'
import { z } from 'zod'
import { registerEmails, templateOf } from './email-contribution.ts'
import { defineEmail, type EmailKind } from './email-kind.ts'
import type { EmailFate, Template } from './mail.ts'

test('an email that may not go to its address is not sent, and that is noted', async () => {
  const templates = new Map<string, Template>()
  const fates: EmailFate[] = []
  const mail = {
    register: ({ name }: EmailKind, template: Template) => void templates.set(name, template),
    reportFate: (fate: EmailFate) => Promise.resolve(void fates.push(fate)),
  }
  const kind = defineEmail('news', { urgency: 'bulk', purpose: 'news' }, z.object({ to: z.string() }))
  const template = templateOf(kind, (_app: object, { to }) => ({
    to: { address: to },
    subject: '',
    text: '',
    html: '',
  }))
  registerEmails({ mail } as never, [template], (address) => Promise.resolve(address === 'jane@readers.example'))
  expect(await templates.get('news')?.({ to: 'jane@readers.example' }, 'one')).toBeDefined()
  expect(await templates.get('news')?.({ to: 'joe@readers.example' }, 'two')).toBeUndefined()
  expect(fates).toEqual([{ id: 'two', kind, address: 'joe@readers.example', fate: 'withheld', answer: null }])
})
