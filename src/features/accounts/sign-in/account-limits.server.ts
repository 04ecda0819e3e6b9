import { defineLimit, limitAddress, limitKey } from '../../../platform/rate-limit/consume-all.ts'
import { counted } from '../../../platform/counted.ts'
import { defineError, isAppError, tryLater } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'

/*
 * Limits of an account's acts other than signing in (docs/spec/security.md#rate-limits). Site-wide numbers, and those
 * that the specification leaves open, protect the tables, the outbox and the queue of password hashes. Every refusal is
 * a 429 with `Retry-After` and costs no other limit. Beyond a site-wide number callers wait in line first.
 */

const minute = 60
const hour = 60 * minute

const limitResets = limitAddress(
  { name: 'forgot.block', points: 30, seconds: hour },
  {
    name: 'forgot.site',
    what: 'forgotten passwords',
    points: 1_000,
    seconds: hour,
    inLine: { points: 2, seconds: 2 },
  },
)
/** An email goes out each ten minutes at most, so that a person needs far fewer. */
const resetsOnDevice = defineLimit({ name: 'forgot.device', points: 60, seconds: hour })

/** Counted for all administrators together: each link ends the one before, which the member may be about to use. */
const resetLinkForMember = defineLimit({ name: 'reset-link.member', points: 1, seconds: 10 * minute })

/** Counted for a registration that keeps the rules. */
export const limitRegistration = limitAddress(
  { name: 'register.block', points: 10, seconds: hour },
  {
    name: 'register.site',
    what: 'registrations',
    points: 1_000,
    seconds: hour,
    inLine: { points: 1, seconds: 3 },
  },
)

/**
 * Before the look at a password that somebody wants to register with, whatever comes of it. How common it is costs some
 * milliseconds to find out, and anybody may ask.
 */
export const limitPasswordLook = limitAddress(
  { name: 'register.password.block', points: 60, seconds: 10 * minute },
  {
    name: 'register.password.site',
    what: 'passwords tried at registration',
    points: 600,
    seconds: minute,
    inLine: { points: 10, seconds: 2 },
  },
)

/**
 * Counted only for an address that nobody has: a stranger who tries it cannot keep its owner from registering. Each is an
 * email to somebody who may never have asked for it, and so is the deletion that makes room for the next.
 */
export const limitRegistrationOf = limitKey({ name: 'register.email', points: 5, seconds: hour })

/**
 * Counted whether or not there is such an account, and never for what was typed: strangers would use up the owner's. A
 * device that is known for the account has a budget of its own, and what strangers share only after it.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitForgotPassword(
  { limits }: Pick<AccountsApp, 'limits'>,
  { address, device }: { address: string; device?: string | undefined },
): Promise<void> {
  if (device !== undefined && (await limits.limit(resetsOnDevice).tryConsume(device))) return
  await limitResets({ limits }, address)
}

/**
 * Before an administrator sends a member a link.
 * @returns how to give it back, for a link that was not sent
 * @throws {AppError} `limit.exceeded`, 429, with a sentence for the administrator
 */
export async function limitResetLink(
  { limits }: Pick<AccountsApp, 'limits'>,
  userId: string,
): Promise<() => Promise<void>> {
  const limit = limits.limit(resetLinkForMember)
  try {
    return await limit.consume(userId)
  } catch (error) {
    if (!isAppError(error) || error.retryAfterSeconds === undefined) throw error
    const wait = counted(Math.ceil(error.retryAfterSeconds / minute), 'minute')
    throw resetLinkSent(wait, { retryAfterSeconds: error.retryAfterSeconds, cause: error })
  }
}

/** Counted for a link that is made up or over: nobody's own link is refused for what others of their address do. */
export const limitWrongLinks = limitAddress({ name: 'reset.block', points: 30, seconds: hour })

/** Counted for the use of a link that works, by its account. */
export const limitPasswordReset = limitKey({
  name: 'reset.account',
  points: 30,
  seconds: hour,
  recordedAs: 'passwords set by a link',
})

export const limitPasswordChange = limitKey({
  name: 'change-password.account',
  points: 10,
  seconds: hour,
  recordedAs: 'changes of the password',
})

export const limitDataExport = limitKey({
  name: 'export.account',
  points: 10,
  seconds: hour,
  recordedAs: 'exports of own data',
})

export const limitMembersExport = limitKey({
  name: 'members-export.account',
  points: 10,
  seconds: hour,
  recordedAs: 'exports of members',
})

const resetLinkSent = defineError({
  code: 'limit.exceeded',
  status: 429,
  sentence: (wait: string) =>
    `A link was sent to this member less than 10 minutes ago, and it still works. You can send another one in ${wait}.`,
  remedy: tryLater,
  isCounted: true,
})
