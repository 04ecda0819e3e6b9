import { expect, test } from 'vitest'
import { elementLabel, neededElements, waysToReach } from '../notice/notice-elements.ts'
import { noticeKinds } from '../notice/notice-kinds.ts'
import { fieldsOf, formOfKind } from './notice-forms.ts'

test.each(noticeKinds)('what is missing of a notice about %s has the name that its form gives it', (kind) => {
  const fields = fieldsOf(formOfKind(kind))
  for (const name of neededElements[kind]) {
    const field = fields.find((each) => each.name === name)
    expect(field, name).toBeDefined()
    // A statement is too long to be its own name; the email address may be another way to reach the sender.
    if (field === undefined || field.kind === 'tick' || (name === 'email' && waysToReach(kind).length > 1)) continue
    expect(field.label.replace('Your full name', 'Your name')).toBe(elementLabel(kind, name))
  }
})
