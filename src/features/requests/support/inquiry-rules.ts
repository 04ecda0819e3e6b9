import { hasInvisible } from '../../../platform/invisible-characters.ts'

export interface TypedInquiry {
  name: string
  email: string
  message: string
}

/** In characters. */
const maxInquiry = 5_000
const maxName = 120
const maxEmail = 254

/** One mailbox, as emails can be sent to it. */
const mailbox = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+\.[^\s\p{Cc}@<>()[\]\\,;:"]+$/u

export function tidyInquiry({ name, email, message }: TypedInquiry): TypedInquiry {
  return {
    name: name.replace(/[\s\p{Cc}]+/gu, ' ').trim(),
    email: email.trim(),
    message: message.replaceAll('\r\n', '\n').trim(),
  }
}

/** The first rule that an inquiry does not keep (docs/spec/pages.md#support); the browser and the server ask the same. */
export function faultOfInquiry(inquiry: TypedInquiry): { field?: keyof TypedInquiry; message: string } | undefined {
  const { name, email, message } = tidyInquiry(inquiry)
  if (name === '' || email === '' || message === '') return { message: 'Please fill in all the fields.' }
  if ([...name].length > maxName) return { field: 'name', message: `The name has at most ${maxName} characters.` }
  if (hasInvisible(name, { mayJoin: true }))
    return { field: 'name', message: 'Please enter your name without invisible characters' }
  if (email.length > maxEmail || !mailbox.test(email) || hasInvisible(email, { mayJoin: false }))
    return { field: 'email', message: 'Please give an email address that we can answer.' }
  if ([...message].length > maxInquiry)
    return {
      field: 'message',
      message: `The inquiry has at most ${maxInquiry.toLocaleString('en-US')} characters.`,
    }
  return undefined
}
