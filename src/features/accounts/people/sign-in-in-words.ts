import { agoInWords, timeInWords } from '../../../browser/format-instant.ts'
import type { Person } from './people-schema.ts'

/** The act that helps; null where there is nothing to mend. */
export type SignInHelp = 'unlock' | 'invite' | 'reset' | 'remove-factors' | null

/** Whether and why a member can sign in or not, in one sentence, and the next step. */
export function signInInWords(
  person: Pick<Person, 'hasPassword' | 'isInvitationWaiting' | 'isAdmin' | 'factors' | 'devices' | 'signIn'>,
): { sentence: string; help: SignInHelp } {
  const { hasPassword, isInvitationWaiting, isAdmin, factors, devices, signIn } = person
  const { lockedUntil, factorLockedUntil, lockedDevices, lacksFactor, tries } = signIn
  if (!hasPassword)
    return {
      sentence: isInvitationWaiting
        ? 'They cannot sign in: they have no password yet, and their invitation waits to be sent.'
        : 'They cannot sign in: they were imported and have not set a password yet.',
      help: 'invite',
    }
  if (lockedUntil !== null) {
    const until = `until ${timeInWords(lockedUntil)}, after too many tries`
    const knowsOpen = devices.length > lockedDevices.length
    return {
      sentence: knowsOpen
        ? `They can sign in on the devices that the site knows. Everywhere else sign-in is locked ${until}.`
        : `They cannot sign in: sign-in is locked ${until}.`,
      help: 'unlock',
    }
  }
  const hasFactor = factors.passkeys > 0 || factors.totp
  // An administrator's second factor is removed on the server alone.
  const withoutFactor = isAdmin ? null : 'remove-factors'
  if (hasFactor && factorLockedUntil !== null)
    return {
      sentence: `They cannot sign in on a new device: after the right password there were too many wrong codes. That is locked until ${timeInWords(factorLockedUntil)}.`,
      help: withoutFactor,
    }
  const [device] = lockedDevices
  if (device !== undefined)
    return {
      sentence: `They cannot sign in on ${device.device}: too many wrong tries there, until ${timeInWords(device.until)}. Other devices work.`,
      help: 'unlock',
    }
  const [last] = tries
  if (hasFactor && (last?.action === 'factor.unfinished' || last?.action === 'factor.refused'))
    return {
      sentence: 'They can sign in, but last gave the right password and no right second factor.',
      help: withoutFactor,
    }
  if (last?.action === 'session.refused')
    return { sentence: 'They can sign in, but last gave a wrong password.', help: 'reset' }
  if (lacksFactor)
    return {
      sentence: 'They can sign in. The administration stays closed to them until they set up two-step sign-in.',
      help: null,
    }
  return {
    sentence: hasFactor
      ? 'They can sign in, with their password and a second factor.'
      : 'They can sign in with their password.',
    help: null,
  }
}

/** The fates of an email in the middle of a sentence. */
const fateWords = {
  sent: 'sent',
  file: 'written to a file',
  refused: 'refused by the mail server',
  withheld: 'not sent to this address',
  bounced: 'came back',
  complained: 'reported as spam',
} as const satisfies Record<NonNullable<Person['signIn']['lastEmail']>['fate'], string>

/** The latest email to the member and what became of it. */
export function emailInWords({ unsentEmail, lastEmail, emailStop, link }: Person['signIn'], now: number): string {
  if (unsentEmail !== null) {
    const { kind, state, since, reason } = unsentEmail
    const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
    if (state === 'failed') return `${name}, not sent: ${reason ?? 'no reason is known.'}`
    const queued = `${name}, queued ${agoInWords(since, now)}, ${state === 'running' ? 'is being sent' : 'waits to be sent'}.`
    return reason === null ? queued : `${queued} The last try failed: ${reason}`
  }
  if (emailStop === 'bounce') return 'Emails to this address came back, so none go there but links to set a password.'
  const last =
    lastEmail === null ? '' : `${lastEmail.words}: ${fateWords[lastEmail.fate]} ${agoInWords(lastEmail.at, now)}.`
  if (link !== null) {
    const isOver = Date.parse(link.endsAt) <= now
    return `${last} A link to set a password went out ${agoInWords(link.writtenAt, now)} and ${isOver ? 'has expired' : `works until ${timeInWords(link.endsAt)}`}. They have not used it.`.trim()
  }
  return last === '' ? 'None in the last 30 days.' : last
}
