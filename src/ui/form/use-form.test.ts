import { createFormControl } from 'react-hook-form'
import { expect, test } from 'vitest'
import { resetKeeping } from './use-form.ts'

test('a value that was typed since the form was sent stays; the others are those that were stored', () => {
  const form = createFormControl({ defaultValues: { name: '', note: '', banner: { text: '', to: '' } } })
  // It keeps what is typed once it is followed, as it is on its page.
  form.subscribe({ formState: {}, callback: () => undefined })
  form.setValue('name', ' Walden ')
  form.setValue('banner', { text: 'Sent', to: '' })
  const sent = form.getValues()
  const sentAs = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, JSON.stringify(value)]))
  form.setValue('note', 'typed since')
  form.setValue('banner.text', 'Typed since')

  resetKeeping(form, { name: 'Walden', note: '', banner: { text: 'Sent', to: '' } }, sentAs)
  expect(form.getValues()).toEqual({ name: 'Walden', note: 'typed since', banner: { text: 'Typed since', to: '' } })
})
