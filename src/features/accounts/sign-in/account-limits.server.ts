import type { GrowingLimitRule, LimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import { ipKeys, consumeAll } from '../../../platform/rate-limit/consume-all.ts'
import type { AccountsApp } from '../app.ts'

/*
 * How often what may be done (docs/spec/security.md#rate-limits). The numbers for the whole site, and those that the
 * specification leaves open, keep a flood from filling the tables, the outbox and the queue of the password hashes.
 *
 * Every refusal is a 429 with `Retry-After`, and costs none of the other limits anything.
 */

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Ten, then growing waits: 1, 2, 4, … 60 minutes. */
const signInForAccount: GrowingLimitRule = {
  name: 'sign-in.account',
  points: 10,
  seconds: 15 * minute,
  firstWaitSeconds: minute,
  longestWaitSeconds: hour,
  rememberSeconds: day,
}
const signInForBlock: LimitRule = { name: 'sign-in.block', points: 50, seconds: 15 * minute }
/**
 * Right ones cost as much to compare. More than a person ever needs, and far fewer than what is free for everybody
 * (`passwords.server.ts`): an office behind one address signs in, 20 accounts in a loop do not.
 */
const rightForAccount: LimitRule = { name: 'sign-in.right.account', points: 20, seconds: 15 * minute }
const rightForBlock: LimitRule = { name: 'sign-in.right.block', points: 300, seconds: 15 * minute }
const signInForSite: LimitRule = { name: 'sign-in.site', points: 1_000, seconds: minute }

const registrationForBlock: LimitRule = { name: 'register.block', points: 10, seconds: hour }
const registrationForSite: LimitRule = { name: 'register.site', points: 1_000, seconds: hour }
/** How common a password is costs some milliseconds to find out, and anybody may ask. */
const passwordLookForBlock: LimitRule = { name: 'register.password.block', points: 60, seconds: 10 * minute }
const passwordLookForSite: LimitRule = { name: 'register.password.site', points: 600, seconds: minute }
/** Each is an email to somebody who may never have asked for it, and so is the deletion that makes room for the next. */
const registrationForEmail: LimitRule = { name: 'register.email', points: 5, seconds: hour }

const resetsForEmail: LimitRule = { name: 'forgot.email', points: 5, seconds: hour }
const resetsForBlock: LimitRule = { name: 'forgot.block', points: 30, seconds: hour }
const resetsForSite: LimitRule = { name: 'forgot.site', points: 1_000, seconds: hour }

const resetForBlock: LimitRule = { name: 'reset.block', points: 30, seconds: hour }
const passwordChangeForAccount: LimitRule = { name: 'change-password.account', points: 10, seconds: hour }
const exportForAccount: LimitRule = { name: 'export.account', points: 10, seconds: hour }

/** There is one site: its limits have one key. */
const site = 'site'

/** A try to sign in, counted as a wrong one until it is known to be right. */
export interface SignInAttempt {
  /** The password was right: this try counts as such, and nothing wrong was ever tried for the account. */
  succeeded(): Promise<void>
  /** The password was not looked at, for example because too many wait already: this try counts nowhere. */
  refund(): Promise<void>
}

/**
 * Counts a try before the password is checked, so that a hundred guesses at once are no more than ten. Whether there is
 * such an account makes no difference. A member who has signed in too often is refused as well; those who were under way
 * together with the last of that number still come.
 * @param address as `clientAddressOf` tells it
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function beginSignIn(
  { limits }: Pick<AccountsApp, 'limits'>,
  { emailFolded, address }: { emailFolded: string; address: string },
): Promise<SignInAttempt> {
  const right = [[rightForAccount, emailFolded] as const, ...ipKeys(rightForBlock, address)].map(([rule, key]) => ({
    limit: limits.limit(rule),
    key,
  }))
  await Promise.all(right.map(({ limit, key }) => limit.check(key)))
  const refundIpKeys = await consumeAll(limits, [...ipKeys(signInForBlock, address), [signInForSite, site]])
  const account = limits.growingLimit(signInForAccount)
  let refundAccount: () => Promise<void>
  try {
    refundAccount = await account.consume(emailFolded)
  } catch (error) {
    await refundIpKeys()
    throw error
  }
  return {
    async succeeded() {
      // First: the next caller to take the refunded place must see it.
      await Promise.all(right.map(({ limit, key }) => limit.count(key)))
      await Promise.all([refundIpKeys(), account.delete(emailFolded)])
    },
    async refund() {
      await Promise.all([refundIpKeys(), refundAccount()])
    },
  }
}

/** After a password reset: the reader of the account's mail need not wait for other people's attempts. */
export async function forgiveSignIns({ limits }: Pick<AccountsApp, 'limits'>, emailFolded: string): Promise<void> {
  await limits.growingLimit(signInForAccount).delete(emailFolded)
}

/**
 * Counted for a registration that keeps the rules.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitRegistration(app: Pick<AccountsApp, 'limits'>, address: string): Promise<void> {
  await consumeAll(app.limits, [...ipKeys(registrationForBlock, address), [registrationForSite, site]])
}

/**
 * Before the look at a password that somebody wants to register with, whatever comes of it.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitPasswordLook(app: Pick<AccountsApp, 'limits'>, address: string): Promise<void> {
  await consumeAll(app.limits, [...ipKeys(passwordLookForBlock, address), [passwordLookForSite, site]])
}

/**
 * Counted only for an address that nobody has: a stranger who tries it cannot keep its owner from registering.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitRegistrationOf(app: Pick<AccountsApp, 'limits'>, emailFolded: string): Promise<void> {
  await consumeAll(app.limits, [[registrationForEmail, emailFolded]])
}

/**
 * Counted for what was typed, whether or not there is such an account.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitForgotPassword(
  app: Pick<AccountsApp, 'limits'>,
  { emailFolded, address }: { emailFolded: string; address: string },
): Promise<void> {
  await consumeAll(app.limits, [
    ...ipKeys(resetsForBlock, address),
    [resetsForSite, site],
    [resetsForEmail, emailFolded],
  ])
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitPasswordReset(app: Pick<AccountsApp, 'limits'>, address: string): Promise<void> {
  await consumeAll(app.limits, ipKeys(resetForBlock, address))
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitPasswordChange(app: Pick<AccountsApp, 'limits'>, userId: string): Promise<void> {
  await consumeAll(app.limits, [[passwordChangeForAccount, userId]])
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitDataExport(app: Pick<AccountsApp, 'limits'>, userId: string): Promise<void> {
  await consumeAll(app.limits, [[exportForAccount, userId]])
}
