import { agoInWords, timeInWords } from '../../../browser/format-instant.ts'
import { fateInWords } from '../sent-emails/fate-words.ts'
import type { Person } from './people-schema.ts'

/** The act that helps; null where there is nothing to mend. */
export type SignInHelp = 'unlock' | 'invite' | 'reset' | 'remove-factors' | null

type Standing = Pick<
  Person,
  'hasPassword' | 'passwordChangedAt' | 'isInvitationWaiting' | 'isAdmin' | 'factors' | 'devices' | 'signIn'
>

/** Whether and why a member can sign in or not, in a sentence or two, and the next step. */
export function signInInWords(person: Standing): { sentence: string; help: SignInHelp } {
  const { hasPassword, passwordChangedAt, isInvitationWaiting, isAdmin, factors, signIn } = person
  if (!hasPassword)
    return {
      sentence: isInvitationWaiting
        ? 'They cannot sign in: they have no password yet, and their invitation is waiting to be sent.'
        : 'They cannot sign in: they were imported and have not set a password yet.',
      help: 'invite',
    }
  const hasFactor = factors.passkeys > 0 || factors.totp
  // An administrator's second factor is removed on the server alone.
  const withoutFactor = isAdmin ? null : 'remove-factors'
  const locks = locksInWords(person, hasFactor)
  if (locks !== null) return { sentence: locks.sentence, help: locks.isOfPasswords ? 'unlock' : withoutFactor }
  const [last] = signIn.tries
  if (hasFactor && (last?.action === 'factor.unfinished' || last?.action === 'factor.refused'))
    return {
      sentence: 'They can sign in. The last attempt had the right password but no valid second factor.',
      help: withoutFactor,
    }
  const isOlderPassword = Date.parse(passwordChangedAt ?? '') > Date.parse(last?.at ?? '')
  if (last?.action === 'session.refused' && !isOlderPassword)
    return { sentence: 'They can sign in. The last attempt used a wrong password.', help: 'reset' }
  if (signIn.lacksFactor)
    return {
      sentence: 'They can sign in. Administration stays closed to them until they set up two-step sign-in.',
      help: null,
    }
  return {
    sentence: hasFactor
      ? 'They can sign in, with their password and a second factor.'
      : 'They can sign in with their password.',
    help: null,
  }
}

/** Where sign-ins are refused and until when; null where they are refused nowhere. */
function locksInWords(
  { devices, signIn }: Pick<Person, 'devices' | 'signIn'>,
  hasFactor: boolean,
): { sentence: string; isOfPasswords: boolean } | null {
  // Nothing asks for a factor that was removed.
  const endOf = (lock: Pick<typeof signIn, 'lockedUntil' | 'factorLockedUntil'>): string | null =>
    latest([lock.lockedUntil, hasFactor ? lock.factorLockedUntil : null])
  const locked = signIn.lockedDevices.filter((device) => endOf(device) !== null)
  const onNew = endOf(signIn)
  const onKnown = latest(locked.map(endOf))
  const isOfPasswords = [signIn, ...locked].some(({ lockedUntil }) => lockedUntil !== null)
  const reason = isOfPasswords ? 'too many attempts' : 'too many wrong codes'
  const all = devices.length === 1 ? 'the device' : `the ${devices.length} devices`
  const known = (count: number): string =>
    `${count === devices.length ? all : `${count} of ${all}`} that the site knows`
  const end = onKnown === null ? '' : `${timeInWords(onKnown)}${locked.length > 1 ? ' at the latest' : ''}`
  const open = devices.length - locked.length
  const sentenceOf = (): string | null => {
    if (onNew === null) {
      const which = locked.length === 1 ? locked[0]?.device : known(locked.length)
      return end === '' ? null : `They cannot sign in on ${which} until ${end}: ${reason} there. Elsewhere they can.`
    }
    const until = `locked until ${timeInWords(onNew)}, after ${reason}.`
    if (open > 0) return `They can sign in on ${known(open)}. On new devices sign-in is ${until}`
    const too = end === '' ? '' : ` So ${locked.length === 1 ? 'is' : 'are'} ${known(locked.length)}, until ${end}.`
    return `They cannot sign in: sign-in is ${until}${too}`
  }
  const sentence = sentenceOf()
  return sentence === null ? null : { sentence, isOfPasswords }
}

function latest(instants: readonly (string | null)[]): string | null {
  return (
    instants
      .filter((each) => each !== null)
      .toSorted()
      .at(-1) ?? null
  )
}

const stopWords = {
  bounce: 'Emails to this address came back, so none go there but links to set a password.',
  complaint: 'They reported an email as spam, so no news go to this address.',
} as const satisfies Record<NonNullable<Person['signIn']['emailStop']>, string>

/** The latest email to the member and what became of it, a link to set a password that is open, and a stop. */
export function lastEmailInWords(signIn: Person['signIn'], now: number): string {
  const { unsentEmail, emailStop } = signIn
  const sentences = [
    unsentEmail === null ? sentInWords(signIn, now) : unsentInWords(unsentEmail, now),
    emailStop === null ? '' : stopWords[emailStop],
  ].filter((each) => each !== '')
  return sentences.length === 0 ? 'None that the log of emails has.' : sentences.join(' ')
}

function unsentInWords(
  { words, state, since, reason }: NonNullable<Person['signIn']['unsentEmail']>,
  now: number,
): string {
  if (state === 'failed') return `${words}, not sent: ${reason ?? 'no reason is known.'}`
  const queued = `${words}, queued ${agoInWords(since, now)}, ${state === 'running' ? 'is being sent' : 'waiting to be sent'}.`
  return reason === null ? queued : `${queued} The last try failed: ${reason}`
}

function sentInWords({ lastEmail, link }: Person['signIn'], now: number): string {
  const last = lastEmail === null ? [] : [`${lastEmail.words}: ${fateInWords(lastEmail, now)}.`]
  if (link === null) return last.join(' ')
  const { email, writtenAt, endsAt } = link
  const words = email === null ? `written ${agoInWords(writtenAt, now)}` : fateInWords(email, now)
  // Their last email often is the one with the link.
  if (email === null || email.at !== lastEmail?.at) last.push(`Link to set a password: ${words}.`)
  const isThere = email === null || !['refused', 'withheld', 'bounced'].includes(email.fate)
  if (!isThere) return last.join(' ')
  const isOver = Date.parse(endsAt) <= now
  last.push(`The link ${isOver ? 'has expired' : `works until ${timeInWords(endsAt)}`}. They have not used it.`)
  return last.join(' ')
}
