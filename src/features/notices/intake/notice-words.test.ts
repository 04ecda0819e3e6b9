import { expect, test } from 'vitest'
import { elementLabel, neededElements } from '../notice/notice-elements.ts'
import { noticeKinds } from '../notice/notice-kinds.ts'
import { fieldsOf, formOfKind } from './notice-forms.ts'

test.each(noticeKinds)('what is missing of a notice about %s has the name that its form gives it', (kind) => {
  const fields = fieldsOf(formOfKind(kind))
  for (const name of neededElements[kind]) {
    const field = fields.find((each) => each.name === name)
    expect(field, name).toBeDefined()
    // A statement is too long to be its own name; the email address of an intimate image may be a telephone number.
    if (field === undefined || field.kind === 'tick' || (kind === 'intimate-image' && name === 'email')) continue
    expect(field.label.replace('Your full name', 'Your name')).toBe(elementLabel(kind, name))
  }
})
