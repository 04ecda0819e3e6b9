import type { GrowingLimitRule, Limit, LimitRule, SiteLimitRule } from '../../../platform/rate-limit/rate-limits.ts'
import { addressBlockOf } from '../../../platform/client-address.ts'
import { ipKeys, consumeAll } from '../../../platform/rate-limit/consume-all.ts'
import { counted } from '../../../platform/counted.ts'
import { defineError, isAppError, tryLater } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'

/*
 * How often what may be done (docs/spec/security.md#rate-limits). The numbers for the whole site, and those that the
 * specification leaves open, keep a flood from filling the tables, the outbox and the queue of the password hashes.
 *
 * Every refusal is a 429 with `Retry-After`, and costs none of the other limits anything. Beyond a number for the whole site
 * callers wait in line first. A device that is known for the account has budgets of its own: whatever strangers use up,
 * the owner gets in.
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
  recordedAs: 'wrong passwords of strangers',
}
const signInForBlock: LimitRule = { name: 'sign-in.block', points: 50, seconds: 15 * minute }
/**
 * Right ones cost as much to compare. More than a person ever needs, and far fewer than what is free for everybody
 * (`passwords.server.ts`): an office behind one address signs in, 20 accounts in a loop do not.
 */
const rightForAccount: LimitRule = {
  name: 'sign-in.right.account',
  points: 20,
  seconds: 15 * minute,
  recordedAs: 'sign-ins',
}
const rightForBlock: LimitRule = { name: 'sign-in.right.block', points: 300, seconds: 15 * minute }
const signInForSite: SiteLimitRule = {
  name: 'sign-in.site',
  what: 'wrong passwords at sign-in',
  points: 1_000,
  seconds: minute,
  inLine: { points: 30, seconds: 3 },
}

/** Wrong ones that were typed on a device which is known for the account: they keep nobody else from anything. */
const signInOnDevice: GrowingLimitRule = {
  ...signInForAccount,
  name: 'sign-in.device',
  recordedAs: 'wrong passwords on a known device',
}
/**
 * Wrong second factors: whoever knows the password guesses no codes. Right passwords clear them as little as a reset of the
 * password does, which a stranger with the member's mail could repeat.
 */
const factorForAccount: GrowingLimitRule = {
  ...signInForAccount,
  name: 'sign-in.factor.account',
  recordedAs: 'wrong second factors of strangers',
}
const factorOnDevice: GrowingLimitRule = {
  ...signInForAccount,
  name: 'sign-in.factor.device',
  recordedAs: 'wrong second factors on a known device',
}
/** Apart from those of strangers, who may know the password too. All devices of an account have twice what one has. */
const rightOnDevice: LimitRule = {
  name: 'sign-in.right.device',
  points: 20,
  seconds: 15 * minute,
  recordedAs: 'sign-ins on a known device',
}
const rightOnDevices: LimitRule = {
  name: 'sign-in.right.devices',
  points: 40,
  seconds: 15 * minute,
  recordedAs: 'sign-ins on known devices',
}
/** How often it is looked whether the limits of an account were cleared elsewhere; and that each clearing is done once. */
const unlockLooks: LimitRule = { name: 'sign-in.unlock.look', points: 1, seconds: 1 }
const unlocksDone: LimitRule = { name: 'sign-in.unlock.done', points: 1, seconds: day }
/** Emails about new devices. After five within the hour the reader knows. */
const newDeviceEmails: LimitRule = { name: 'sign-in.new-device.email', points: 5, seconds: hour }

const registrationForBlock: LimitRule = { name: 'register.block', points: 10, seconds: hour }
const registrationForSite: SiteLimitRule = {
  name: 'register.site',
  what: 'registrations',
  points: 1_000,
  seconds: hour,
  inLine: { points: 1, seconds: 3 },
}
/** How common a password is costs some milliseconds to find out, and anybody may ask. */
const passwordLookForBlock: LimitRule = { name: 'register.password.block', points: 60, seconds: 10 * minute }
const passwordLookForSite: SiteLimitRule = {
  name: 'register.password.site',
  what: 'passwords tried at registration',
  points: 600,
  seconds: minute,
  inLine: { points: 10, seconds: 2 },
}
/** Each is an email to somebody who may never have asked for it, and so is the deletion that makes room for the next. */
const registrationForEmail: LimitRule = { name: 'register.email', points: 5, seconds: hour }

const resetsForBlock: LimitRule = { name: 'forgot.block', points: 30, seconds: hour }
const resetsForSite: SiteLimitRule = {
  name: 'forgot.site',
  what: 'forgotten passwords',
  points: 1_000,
  seconds: hour,
  inLine: { points: 2, seconds: 2 },
}
/** An email goes out each ten minutes at most, so that a person needs far fewer. */
const resetsOnDevice: LimitRule = { name: 'forgot.device', points: 60, seconds: hour }

/** Sent by administrators, whoever of them: each link ends the one before, which the member may be about to use. */
const resetLinkForMember: LimitRule = { name: 'reset-link.member', points: 1, seconds: 10 * minute }

const wrongLinksForBlock: LimitRule = { name: 'reset.block', points: 30, seconds: hour }
const resetForAccount: LimitRule = {
  name: 'reset.account',
  points: 30,
  seconds: hour,
  recordedAs: 'passwords set by a link',
}
const passwordChangeForAccount: LimitRule = {
  name: 'change-password.account',
  points: 10,
  seconds: hour,
  recordedAs: 'changes of the password',
}
const exportForAccount: LimitRule = {
  name: 'export.account',
  points: 10,
  seconds: hour,
  recordedAs: 'exports of own data',
}
const membersExportForAccount: LimitRule = {
  name: 'members-export.account',
  points: 10,
  seconds: hour,
  recordedAs: 'exports of members',
}

/** All of these, as docs/operating.md tells them. */
export const accountLimits: readonly LimitRule[] = [
  signInForAccount,
  signInForBlock,
  rightForAccount,
  rightForBlock,
  signInForSite,
  signInOnDevice,
  factorForAccount,
  factorOnDevice,
  rightOnDevice,
  rightOnDevices,
  unlockLooks,
  unlocksDone,
  newDeviceEmails,
  registrationForBlock,
  registrationForSite,
  passwordLookForBlock,
  passwordLookForSite,
  registrationForEmail,
  resetsForBlock,
  resetsForSite,
  resetsOnDevice,
  resetLinkForMember,
  wrongLinksForBlock,
  resetForAccount,
  passwordChangeForAccount,
  exportForAccount,
  membersExportForAccount,
]

/** The account of a sign-in, and its origin. */
export interface SigningIn {
  /** As it was typed, folded, whether or not anybody has it. */
  emailFolded: string
  /** As `clientAddressOf` tells it. */
  address: string
  /** The id of the caller's device, where it is known for this account. */
  device?: string | undefined
  /** Reads when the limits of the account were cleared within the last day; asked at most once a second, before a refusal. */
  readUnlock?: () => Promise<Date | undefined>
}

/** A try to sign in, counted as a wrong one until it is known to be right. */
export interface SignInAttempt {
  /** The password was right: this try counts as such, and nothing wrong was ever tried for the account. */
  succeeded(): Promise<void>
  /** The password was not looked at, for example because too many wait already: this try counts nowhere. */
  refund(): Promise<void>
}

/**
 * Counts a try before a password is looked at, so that a hundred guesses at once are no more than ten. Whether there is
 * such an account makes no difference. A member who has signed in too often is refused as well; those who were under way
 * together with the last of that number still come. A known device counts by itself alone: neither strangers who guess at
 * the account nor other callers of its address or of the site take anything from it, nor it from them. A password that proves
 * who a member is counts as one of a sign-in does, whoever has their token (docs/spec/accounts.md#proof).
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function beginPassword(app: Pick<AccountsApp, 'limits'>, signingIn: SigningIn): Promise<SignInAttempt> {
  try {
    return await countAttempt(app, signingIn)
  } catch (error) {
    if (!isExceeded(error) || !(await clearIfUnlocked(app, signingIn))) throw error
    return countAttempt(app, signingIn)
  }
}

async function countAttempt(
  { limits }: Pick<AccountsApp, 'limits'>,
  { emailFolded, address, device }: SigningIn,
): Promise<SignInAttempt> {
  const rightKeys: (readonly [LimitRule, string])[] =
    device === undefined
      ? [[rightForAccount, emailFolded], ...ipKeys(rightForBlock, address)]
      : [
          [rightOnDevice, device],
          [rightOnDevices, emailFolded],
        ]
  const right = rightKeys.map(([rule, key]): [Limit, string] => [limits.limit(rule), key])
  await Promise.all(right.map(([limit, key]) => limit.check(key)))
  const wrong = limits.growingLimit(device === undefined ? signInForAccount : signInOnDevice)
  const wrongKey = device ?? emailFolded
  const refunds: (() => Promise<void>)[] = []
  const refundAll = async (): Promise<void> => {
    await Promise.all(refunds.map((refund) => refund()))
  }
  try {
    if (device === undefined) refunds.push(await consumeAll(limits, ipKeys(signInForBlock, address)))
    refunds.push(await wrong.consume(wrongKey))
    // The site last: a try that another limit refuses takes nobody's place in its line, and raises no alarm.
    if (device === undefined)
      refunds.push(await consumeAll(limits, [], { rule: signInForSite, caller: addressBlockOf(address) }))
  } catch (error) {
    await refundAll()
    throw error
  }
  return {
    async succeeded() {
      // First: the next caller to take the refunded place must see it.
      await Promise.all(right.map(([limit, key]) => limit.count(key)))
      await refundAll()
      await wrong.delete(wrongKey)
    },
    refund: refundAll,
  }
}

/**
 * Before a refusal: whether the limits of the account were cleared elsewhere, on the command line or in another instance,
 * and not here yet. Then they are cleared. The counters themselves remember what was looked for and done.
 */
async function clearIfUnlocked(
  { limits }: Pick<AccountsApp, 'limits'>,
  { emailFolded, device, readUnlock }: SigningIn,
): Promise<boolean> {
  const key = device ?? emailFolded
  if (readUnlock === undefined || !(await limits.limit(unlockLooks).tryConsume(key))) return false
  const unlockedAt = await readUnlock()
  if (unlockedAt === undefined || !(await limits.limit(unlocksDone).tryConsume(doneKey(key, unlockedAt)))) return false
  await clearLimits(limits, { emailFolded, device })
  return true
}

function doneKey(key: string, unlockedAt: Date): string {
  return `${key} ${unlockedAt.getTime()}`
}

/**
 * After a password reset: the reader of the account's mail need not wait for other people's attempts. Other instances learn
 * of it by `readUnlock`.
 */
export async function forgiveSignIns(
  { limits }: Pick<AccountsApp, 'limits'>,
  { emailFolded, unlockedAt }: { emailFolded: string; unlockedAt: Date },
): Promise<void> {
  await limits.limit(unlocksDone).count(doneKey(emailFolded, unlockedAt))
  await clearLimits(limits, { emailFolded })
}

/** As if nobody had ever tried to sign in to the account, but for what its other devices have counted. */
async function clearLimits(
  limits: AccountsApp['limits'],
  { emailFolded, device }: { emailFolded: string; device?: string | undefined },
): Promise<void> {
  await Promise.all([
    limits.growingLimit(signInForAccount).delete(emailFolded),
    limits.limit(rightForAccount).delete(emailFolded),
    limits.limit(rightOnDevices).delete(emailFolded),
    ...(device === undefined
      ? []
      : [limits.growingLimit(signInOnDevice).delete(device), limits.limit(rightOnDevice).delete(device)]),
  ])
}

function isExceeded(error: unknown): boolean {
  return isAppError(error) && error.code === 'limit.exceeded'
}

/** Whether a member is notified by email of one more device. */
export async function mayTellOfDevice({ limits }: Pick<AccountsApp, 'limits'>, userId: string): Promise<boolean> {
  return limits.limit(newDeviceEmails).tryConsume(userId)
}

/**
 * Before a second factor is looked at: after the right password a wrong one counts for the account, in a session for that
 * session, and on a known device for the device alone.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function beginFactor(
  { limits }: Pick<AccountsApp, 'limits'>,
  { emailFolded, device, sessionId }: Pick<SigningIn, 'emailFolded' | 'device'> & { sessionId?: string },
): Promise<SignInAttempt> {
  const wrong = limits.growingLimit(device === undefined ? factorForAccount : factorOnDevice)
  // The holder of a session alone does not know the password: wrong guesses there must not keep the member from signing
  // in.
  const key = device ?? (sessionId === undefined ? emailFolded : `session ${sessionId}`)
  const refund = await wrong.consume(key)
  return { succeeded: () => wrong.delete(key), refund }
}

/**
 * Counted for a registration that keeps the rules.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitRegistration(app: Pick<AccountsApp, 'limits'>, address: string): Promise<void> {
  const ofSite = { rule: registrationForSite, caller: addressBlockOf(address) }
  await consumeAll(app.limits, ipKeys(registrationForBlock, address), ofSite)
}

/**
 * Before the look at a password that somebody wants to register with, whatever comes of it.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitPasswordLook(app: Pick<AccountsApp, 'limits'>, address: string): Promise<void> {
  const ofSite = { rule: passwordLookForSite, caller: addressBlockOf(address) }
  await consumeAll(app.limits, ipKeys(passwordLookForBlock, address), ofSite)
}

/**
 * Counted only for an address that nobody has: a stranger who tries it cannot keep its owner from registering.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitRegistrationOf(app: Pick<AccountsApp, 'limits'>, emailFolded: string): Promise<void> {
  await consumeAll(app.limits, [[registrationForEmail, emailFolded]])
}

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
  const ofSite = { rule: resetsForSite, caller: addressBlockOf(address) }
  await consumeAll(limits, ipKeys(resetsForBlock, address), ofSite)
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
    await limit.consume(userId)
  } catch (error) {
    if (!isAppError(error) || error.retryAfterSeconds === undefined) throw error
    const wait = counted(Math.ceil(error.retryAfterSeconds / minute), 'minute')
    throw resetLinkSent(wait, { retryAfterSeconds: error.retryAfterSeconds, cause: error })
  }
  return () => limit.refund(userId)
}

/**
 * Counted for a link that is made up or over: nobody's own link is refused for what others of their address do.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitWrongLinks(app: Pick<AccountsApp, 'limits'>, address: string): Promise<void> {
  await consumeAll(app.limits, ipKeys(wrongLinksForBlock, address))
}

/**
 * Counted for the use of a link that works, by its account.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function limitPasswordReset(app: Pick<AccountsApp, 'limits'>, userId: string): Promise<void> {
  await consumeAll(app.limits, [[resetForAccount, userId]])
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitPasswordChange(app: Pick<AccountsApp, 'limits'>, userId: string): Promise<void> {
  await consumeAll(app.limits, [[passwordChangeForAccount, userId]])
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitDataExport(app: Pick<AccountsApp, 'limits'>, userId: string): Promise<void> {
  await consumeAll(app.limits, [[exportForAccount, userId]])
}

/** @throws {AppError} `limit.exceeded`, 429 */
export async function limitMembersExport(app: Pick<AccountsApp, 'limits'>, userId: string): Promise<void> {
  await consumeAll(app.limits, [[membersExportForAccount, userId]])
}

const resetLinkSent = defineError({
  code: 'limit.exceeded',
  status: 429,
  sentence: (wait: string) =>
    `A link was sent to this member less than 10 minutes ago, and it still works. You can send another one in ${wait}.`,
  remedy: tryLater,
  isCounted: true,
})
