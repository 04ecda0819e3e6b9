import type { App } from '../../platform/app.ts'
import type { GrowingLimitRule, LimitRule } from '../../platform/rate-limits.ts'
import { placesOf, takeAll } from '../../platform/take-all.ts'

/*
 * How often what may be done (PRODUCT.md, section 12, "Limits"). The numbers for the whole site, and those that the
 * specification leaves open, keep a flood from filling the tables, the outbox and the queue of the password hashes.
 *
 * Every refusal is a 429 with `Retry-After`, and costs none of the other limits anything.
 */

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** "10 wrong passwords for an account in 15 minutes, then growing waits": 1, 2, 4, … 60 minutes. */
const signInForAccount: GrowingLimitRule = {
  name: 'sign-in.account',
  points: 10,
  seconds: 15 * minute,
  firstWaitSeconds: minute,
  longestWaitSeconds: hour,
  rememberSeconds: day,
}
/** "50 for an address". */
const signInForBlock: LimitRule = { name: 'sign-in.block', points: 50, seconds: 15 * minute }
const signInForSite: LimitRule = { name: 'sign-in.site', points: 1_000, seconds: minute }

/** "register 10 an hour for an address". */
const registrationForBlock: LimitRule = { name: 'register.block', points: 10, seconds: hour }
const registrationForSite: LimitRule = { name: 'register.site', points: 1_000, seconds: hour }
/** Each is a letter to somebody who may never have asked for it, and so is the deletion that makes room for the next. */
const registrationForEmail: LimitRule = { name: 'register.email', points: 5, seconds: hour }

/** "forgot 5 an hour for an email". */
const forgottenForEmail: LimitRule = { name: 'forgot.email', points: 5, seconds: hour }
const forgottenForBlock: LimitRule = { name: 'forgot.block', points: 30, seconds: hour }
const forgottenForSite: LimitRule = { name: 'forgot.site', points: 1_000, seconds: hour }

const resetForBlock: LimitRule = { name: 'reset.block', points: 30, seconds: hour }
const passwordChangeForAccount: LimitRule = { name: 'change-password.account', points: 10, seconds: hour }
const exportForAccount: LimitRule = { name: 'export.account', points: 10, seconds: hour }

/** There is one site: its limits have one key. */
const site = 'site'

/** A try to sign in, counted as a wrong one until it is known to be right. */
export interface SignInAttempt {
  /** The password was right: this try counts nowhere, and nothing wrong was ever tried for the account. */
  succeeded(): Promise<void>
  /** The password was not looked at, for example because too many wait already: this try counts nowhere. */
  giveBack(): Promise<void>
}

/**
 * Counts a try before the password is checked, so that a hundred guesses at once are no more than ten. Whether there is
 * such an account makes no difference.
 * @param address as `clientAddressOf` tells it
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function beginSignIn(
  { limits }: Pick<App, 'limits'>,
  { emailFolded, address }: { emailFolded: string; address: string },
): Promise<SignInAttempt> {
  const giveBackPlaces = await takeAll(limits, [...placesOf(signInForBlock, address), [signInForSite, site]])
  const account = limits.growingLimit(signInForAccount)
  let giveBackAccount: () => Promise<void>
  try {
    giveBackAccount = await account.take(emailFolded)
  } catch (error) {
    await giveBackPlaces()
    throw error
  }
  return {
    async succeeded() {
      await Promise.all([giveBackPlaces(), account.forget(emailFolded)])
    },
    async giveBack() {
      await Promise.all([giveBackPlaces(), giveBackAccount()])
    },
  }
}

/** After a password reset: whoever reads the account's mail need not wait for what others have tried. */
export async function forgiveSignIns({ limits }: Pick<App, 'limits'>, emailFolded: string): Promise<void> {
  await limits.growingLimit(signInForAccount).forget(emailFolded)
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitRegistration(app: Pick<App, 'limits'>, address: string): Promise<void> {
  await takeAll(app.limits, [...placesOf(registrationForBlock, address), [registrationForSite, site]])
}

/**
 * Counted only for an address that nobody has: a stranger who tries it cannot keep its owner from registering.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitRegistrationOf(app: Pick<App, 'limits'>, emailFolded: string): Promise<void> {
  await takeAll(app.limits, [[registrationForEmail, emailFolded]])
}

/**
 * Counted for what was typed, whether or not there is such an account.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitForgottenPassword(
  app: Pick<App, 'limits'>,
  { emailFolded, address }: { emailFolded: string; address: string },
): Promise<void> {
  await takeAll(app.limits, [
    ...placesOf(forgottenForBlock, address),
    [forgottenForSite, site],
    [forgottenForEmail, emailFolded],
  ])
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitPasswordReset(app: Pick<App, 'limits'>, address: string): Promise<void> {
  await takeAll(app.limits, placesOf(resetForBlock, address))
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitPasswordChange(app: Pick<App, 'limits'>, userId: string): Promise<void> {
  await takeAll(app.limits, [[passwordChangeForAccount, userId]])
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitDataExport(app: Pick<App, 'limits'>, userId: string): Promise<void> {
  await takeAll(app.limits, [[exportForAccount, userId]])
}
