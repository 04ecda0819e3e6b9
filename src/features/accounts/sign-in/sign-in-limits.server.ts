import { consumeAll, defineLimit, ipKeys } from '../../../platform/rate-limit/consume-all.ts'
import { addressBlockOf } from '../../../platform/client-address.ts'
import { isAppError } from '../../../platform/errors.ts'
import {
  type GrowingLimitRule,
  type Limit,
  type LimitRule,
  type SiteLimitRule,
  tooManyAttempts,
} from '../../../platform/rate-limit/rate-limits.ts'
import type { AccountsApp } from '../app.ts'

/*
 * How often somebody may try to sign in (docs/spec/security.md#rate-limits). A device that is known for the account has budgets of
 * its own: whatever strangers use up, the owner gets in.
 */

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Ten, then growing waits: 1, 2, 4, … 60 minutes. */
const signInForAccount = defineLimit<GrowingLimitRule>({
  name: 'sign-in.account',
  points: 10,
  seconds: 15 * minute,
  firstWaitSeconds: minute,
  longestWaitSeconds: hour,
  rememberSeconds: day,
  recordedAs: 'wrong passwords of strangers',
})
const signInForBlock = defineLimit({ name: 'sign-in.block', points: 50, seconds: 15 * minute })
/**
 * Right ones cost as much to compare. More than a person ever needs, and far fewer than what is free for everybody
 * (`passwords.server.ts`): an office behind one address signs in, 20 accounts in a loop do not.
 */
const rightForAccount = defineLimit({
  name: 'sign-in.right.account',
  points: 20,
  seconds: 15 * minute,
  recordedAs: 'sign-ins',
})
const rightForBlock = defineLimit({ name: 'sign-in.right.block', points: 300, seconds: 15 * minute })
const signInForSite = defineLimit<SiteLimitRule>({
  name: 'sign-in.site',
  what: 'wrong passwords at sign-in',
  points: 1_000,
  seconds: minute,
  inLine: { points: 30, seconds: 3 },
})

/** Wrong ones that were typed on a device which is known for the account: they keep nobody else from anything. */
const signInOnDevice = defineLimit<GrowingLimitRule>({
  ...signInForAccount,
  name: 'sign-in.device',
  recordedAs: 'wrong passwords on a known device',
})
/**
 * Wrong second factors: knowing the password allows no guessing of codes. Neither a right password nor a reset clears
 * them, which a stranger with the member's mail could repeat.
 */
const factorForAccount = defineLimit<GrowingLimitRule>({
  ...signInForAccount,
  name: 'sign-in.factor.account',
  recordedAs: 'wrong second factors of strangers',
})
const factorOnDevice = defineLimit<GrowingLimitRule>({
  ...signInForAccount,
  name: 'sign-in.factor.device',
  recordedAs: 'wrong second factors on a known device',
})
/** Apart from those of strangers, who may know the password too. All devices of an account have twice what one has. */
const rightOnDevice = defineLimit({
  name: 'sign-in.right.device',
  points: 20,
  seconds: 15 * minute,
  recordedAs: 'sign-ins on a known device',
})
const rightOnDevices = defineLimit({
  name: 'sign-in.right.devices',
  points: 40,
  seconds: 15 * minute,
  recordedAs: 'sign-ins on known devices',
})
/** How often it is looked whether the limits of an account were cleared elsewhere; and that each clearing is done once. */
const unlockLooks = defineLimit({ name: 'sign-in.unlock.look', points: 1, seconds: 1 })
const unlocksDone = defineLimit({ name: 'sign-in.unlock.done', points: 1, seconds: day })
/** Emails about new devices. After five within the hour the reader knows. */
const newDeviceEmails = defineLimit({ name: 'sign-in.new-device.email', points: 5, seconds: hour })

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
  /** The password was right: this try counts, and the earlier wrong ones do not. */
  succeeded(): Promise<void>
  /** The password was not looked at, for example because too many wait already: this try counts nowhere. */
  refund(): Promise<void>
}

/**
 * Counts an attempt before a password is looked at, so that a hundred guesses at once are no more than ten, with or
 * without an account. A known device counts by itself alone, untouched by strangers. A password that proves who a
 * member is counts as well (docs/spec/accounts.md#proof).
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

/** Until when passwords and second factors are refused; null where they are not. */
export interface SignInLock {
  passwords: Date | null
  factors: Date | null
}

export interface SignInLocks {
  /** Those of devices that are not known. */
  strangers: SignInLock
  devices: ReadonlyMap<string, SignInLock>
}

/** The waits of an account as a sign-in would meet them now; those of a network or of the whole site are nobody's own. */
export async function readSignInLocks(
  { limits, clock }: Pick<AccountsApp, 'limits' | 'clock'>,
  {
    emailFolded,
    devices,
    unlockedAt,
  }: { emailFolded: string; devices: readonly string[]; unlockedAt: Date | undefined },
): Promise<SignInLocks> {
  /** Whether the next try would first clear these limits, because they were cleared elsewhere. */
  const isCleared = async (key: string): Promise<boolean> =>
    unlockedAt !== undefined && (await limits.limit(unlocksDone).msLeft(doneKey(key, unlockedAt))) === 0
  const until = (ms: number): Date | null => (ms > 0 ? new Date(clock.now() + ms) : null)
  const lockOf = async (
    key: string,
    ofFactors: GrowingLimitRule,
    ofPasswords: Promise<number>[],
  ): Promise<SignInLock> => {
    const [factors, ...passwords] = await Promise.all([limits.growingLimit(ofFactors).msLeft(key), ...ofPasswords])
    return { passwords: (await isCleared(key)) ? null : until(Math.max(...passwords)), factors: until(factors) }
  }
  const shared = limits.limit(rightOnDevices).msLeft(emailFolded)
  const [strangers, ...ofDevices] = await Promise.all([
    lockOf(emailFolded, factorForAccount, [
      limits.growingLimit(signInForAccount).msLeft(emailFolded),
      limits.limit(rightForAccount).msLeft(emailFolded),
    ]),
    ...devices.map((device) =>
      lockOf(device, factorOnDevice, [
        limits.growingLimit(signInOnDevice).msLeft(device),
        limits.limit(rightOnDevice).msLeft(device),
        shared,
      ]),
    ),
  ])
  return { strangers, devices: new Map(ofDevices.map((lock, at) => [devices[at] as string, lock])) }
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
  return isAppError(error) && error.code === tooManyAttempts.code
}

export async function mayNotifyOfDevice({ limits }: Pick<AccountsApp, 'limits'>, userId: string): Promise<boolean> {
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
