import { hasInvisible } from '../../../platform/invisible-characters.ts'
import { asciiDomainOf } from './email.ts'

/**
 * The rules for what is typed to become a member and to sign in (docs/spec/accounts.md#validation). The browser asks
 * them before it sends, the server asks again those that it can; both show these sentences.
 */

/** A rule that is not kept: the form field that it is about, and the sentence to show. */
export interface FieldError<Field extends string = string> {
  field: Field
  message: string
}

export interface Registration {
  name: string
  email: string
  password: string
}

export interface RegistrationForm extends Registration {
  confirmation: string
  hasAcceptedTerms: boolean
}

/** Lengths in characters as a person counts them, not in UTF-16 units. */
export const limits = {
  name: 100,
  /** The longest address that a mail server takes (RFC 5321, 4.5.3.1.3, less the angle brackets). */
  email: 254,
  password: 200,
} as const

const passwordAtRegistration = 6
const passwordWhenChanged = 8
const passwordOfAdministrator = 12

/**
 * Checks a registration in the order of the rules (docs/spec/accounts.md#validation). Names and addresses are judged
 * without the blanks around them.
 */
export function checkRegistration({ name, email, password }: Registration): FieldError<keyof Registration> | undefined {
  const problem = checkPerson({ name, email })
  if (problem !== undefined) return problem
  const message = passwordError(password)
  return message === undefined ? undefined : { field: 'password', message }
}

export function checkPerson({
  name,
  email,
}: Pick<Registration, 'name' | 'email'>): FieldError<'name' | 'email'> | undefined {
  const ofName = nameError(name)
  if (ofName !== undefined) return { field: 'name', message: ofName }
  const ofEmail = emailError(email)
  return ofEmail === undefined ? undefined : { field: 'email', message: ofEmail }
}

/** Checks the whole form: what is sent, then that the password was typed twice alike, then the terms. */
export function checkRegistrationForm(form: RegistrationForm): FieldError<keyof RegistrationForm> | undefined {
  const problem = checkRegistration(form)
  if (problem !== undefined) return problem
  if (form.confirmation !== form.password) return { field: 'confirmation', message: 'Passwords do not match' }
  if (!form.hasAcceptedTerms) return { field: 'hasAcceptedTerms', message: 'Please accept the terms and conditions' }
  return undefined
}

/** Checks what somebody signs in with: whether it is right, only the server can tell. */
export function checkSignIn({ email, password }: { email: string; password: string }): FieldError | undefined {
  const message = typedEmailError(email)
  if (message !== undefined) return { field: 'email', message }
  return password === '' ? { field: 'password', message: 'Password is required' } : undefined
}

export function checkForgotPassword(email: string): FieldError | undefined {
  const message = typedEmailError(email)
  return message === undefined ? undefined : { field: 'email', message }
}

/** Checks the two fields of a password reset; how long it must be, the server says. */
export function checkReset({
  password,
  confirmation,
}: {
  password: string
  confirmation: string
}): FieldError | undefined {
  if (password === '') return { field: 'password', message: 'New password is required' }
  if (confirmation === '') return { field: 'confirmation', message: 'Please type the new password once more' }
  return confirmation === password ? undefined : { field: 'confirmation', message: "Passwords don't match." }
}

/** Checks the address that somebody wants in place of the one that they have. */
export function checkNewEmail(email: string, { present }: { present: string }): FieldError<'email'> | undefined {
  const message = emailError(email) ?? (email.trim() === present ? 'This is your address already' : undefined)
  return message === undefined ? undefined : { field: 'email', message }
}

/** Checks a password that replaces an older one. */
export function checkNewPassword(
  password: string,
  { isAdmin }: { isAdmin: boolean },
): FieldError<'password'> | undefined {
  const length = lengthOf(password)
  const min = isAdmin ? passwordOfAdministrator : passwordWhenChanged
  if (length < min) return { field: 'password', message: `Password must be at least ${min} characters long` }
  if (length > limits.password) return { field: 'password', message: passwordTooLong }
  return undefined
}

export function emailError(email: string): string | undefined {
  const address = email.trim()
  if (address === '') return emailRequired
  const isOne =
    lengthOf(address) <= limits.email &&
    addressPattern.test(address) &&
    !hasInvisible(address, { mayJoin: false }) &&
    address.normalize('NFKC') === address &&
    asciiDomainOf(address.slice(address.lastIndexOf('@') + 1)) !== undefined
  return isOne ? undefined : emailInvalid
}

/** The same for an address that is only looked up: existing members may sign in, whatever today's rules are. */
function typedEmailError(email: string): string | undefined {
  const address = email.trim()
  if (address === '') return emailRequired
  return /^[^\s@]+@[^\s@]+$/.test(address) ? undefined : emailInvalid
}

const emailRequired = 'Email is required'
const emailInvalid = 'Please enter a valid email address'
const passwordTooLong = `Password must be at most ${limits.password} characters`

/**
 * `local@domain.tld` in any script. The local part takes what RFC 5322 allows without quotes, so that an address can
 * never be read as two by a mail program; the domain needs a dot, because mail to members goes through the internet.
 */
const addressPattern =
  /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u

/** The rule for names (docs/spec/accounts.md#names-and-addresses). */
function nameError(name: string): string | undefined {
  // A name of invisible characters alone would be an empty line wherever it stands.
  if (name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').trim() === '') return 'Name is required'
  if (lengthOf(name.trim()) > limits.name) return `Name must be at most ${limits.name} characters`
  if (/\p{Cc}/u.test(name.trim())) return 'Please enter your name on one line'
  return hasInvisible(name, { mayJoin: true }) ? 'Please enter your name without invisible characters' : undefined
}

function passwordError(password: string): string | undefined {
  const length = lengthOf(password)
  if (length < passwordAtRegistration) return `Password must be at least ${passwordAtRegistration} characters`
  return length > limits.password ? passwordTooLong : undefined
}

function lengthOf(text: string): number {
  return Array.from(text).length
}
