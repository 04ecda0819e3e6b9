import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deleteKeys, openRedis, redisAnswers, redisUrl } from '../../../../tests/harness/redis.ts'
import { clientAddressOf, readTrustedProxies } from '../../../platform/client-address.ts'
import { openRateLimits, type RateLimits } from '../../../platform/rate-limit/rate-limits.ts'
import {
  limitDataExport,
  limitForgotPassword,
  limitPasswordChange,
  limitPasswordLook,
  limitPasswordReset,
  limitRegistration,
  limitWrongLinks,
} from './account-limits.server.ts'
import {
  beginFactor,
  beginPassword,
  forgiveSignIns,
  mayNotifyOfDevice,
  readSignInLocks,
} from './sign-in-limits.server.ts'

type Place = { limits: RateLimits }

const silent = pino({ level: 'silent' })
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const minutes = (count: number): Promise<unknown> => vi.advanceTimersByTimeAsync(count * 60_000)

const tooMany = (retryAfterSeconds: number): object =>
  expect.objectContaining({
    code: 'limit.exceeded',
    status: 429,
    retryAfterSeconds,
    message: expect.stringMatching(/^Too many attempts\. Please try again in \d+ (minute|second)s?\.$/) as string,
  }) as object

async function passed(tries: Promise<unknown>[]): Promise<number> {
  const settled = await Promise.allSettled(tries)
  for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 429 })
  return settled.filter((one) => one.status === 'fulfilled').length
}

/** The same of tries that wait in line: nobody does for longer than 6 seconds. */
async function waited(tries: Promise<unknown>[]): Promise<number> {
  const all = passed(tries)
  await vi.advanceTimersByTimeAsync(10_000)
  return all
}

const home = '203.0.113.7'
const emailFolded = 'reader@library.example'
/** Another address for each number, each in a /48 of its own. */
const elsewhere = (i: number): string => `2001:${(0x1000 + (i >> 16)).toString(16)}:${(i & 0xffff).toString(16)}::1`

describe('limits of accounts', () => {
  let app: Place

  beforeEach(() => {
    vi.useFakeTimers()
    app = { limits: openRateLimits({ redisUrl: undefined }, silent) }
  })
  afterEach(() => {
    app.limits.close()
    vi.useRealTimers()
  })

  const guess = (address = home, email = emailFolded) => beginPassword(app, { emailFolded: email, address })
  /** From an address whose limits strangers have used up. */
  const onDevice = (caller: { device: string }) => beginPassword(app, { emailFolded, address: home, ...caller })
  const signIn = async (address = home, email = emailFolded): Promise<void> => (await guess(address, email)).succeeded()

  describe('signing in', () => {
    it('refuses the eleventh wrong password for an account within 15 minutes, from wherever it comes', async () => {
      for (let i = 0; i < 10; i += 1) await guess(elsewhere(i))
      await expect(guess(elsewhere(11))).rejects.toEqual(tooMany(60))
      await guess(elsewhere(11), 'somebody.else@library.example')
    })

    it('lets ten of a hundred guesses through that come at once', async () => {
      expect(await passed(times(100, (i) => guess(elsewhere(i))))).toBe(10)
    })

    it('lets one more through after each wait, and doubles it from one minute to an hour', async () => {
      await Promise.all(times(10, (i) => guess(elsewhere(i))))
      for (const wait of [1, 2, 4, 8, 16, 32, 60, 60]) {
        await expect(guess()).rejects.toEqual(tooMany(wait * 60))
        await minutes(wait)
        expect(await passed(times(20, (i) => guess(elsewhere(i))))).toBe(1)
      }
    })

    it('begins anew 15 minutes after the first of fewer than ten wrong ones', async () => {
      await Promise.all(times(9, () => guess()))
      await minutes(15)
      expect(await passed(times(20, (i) => guess(elsewhere(i))))).toBe(10)
    })

    it('remembers the waits for a day', async () => {
      await Promise.all(times(10, () => guess()))
      await minutes(24 * 60 - 1)
      await guess()
      await expect(guess()).rejects.toEqual(tooMany(120))
      await minutes(24 * 60)
      expect(await passed(times(20, (i) => guess(elsewhere(i))))).toBe(10)
    })

    it('drops the wrong ones after a right one', async () => {
      for (let round = 0; round < 5; round += 1) {
        for (let i = 0; i < 9; i += 1) await guess(elsewhere(i))
        await signIn()
      }
      await Promise.all(times(10, (i) => guess(elsewhere(i))))
      await expect(guess()).rejects.toEqual(tooMany(60))
      await minutes(1)
      await signIn()
      expect(await passed(times(20, (i) => guess(elsewhere(i))))).toBe(10)
    })

    it('forgives after a password reset, also while there is to be waited', async () => {
      await Promise.all(times(10, () => guess()))
      await expect(guess()).rejects.toThrow('Too many attempts.')
      await forgiveSignIns(app, { emailFolded, unlockedAt: new Date() })
      await signIn()
    })

    it('clears the limits once where they were cleared elsewhere, and looks for that once a second, before a refusal', async () => {
      let looks = 0
      const noted: { unlockedAt?: Date } = {}
      const readUnlock = (): Promise<Date | undefined> => {
        looks += 1
        return Promise.resolve(noted.unlockedAt)
      }
      const tryIt = (device?: string) => beginPassword(app, { emailFolded, address: home, device, readUnlock })
      await Promise.all(times(10, () => tryIt()))
      for (let i = 0; i < 10; i += 1) await tryIt('one')
      expect(looks).toBe(0)
      for (let i = 0; i < 100; i += 1) await expect(tryIt()).rejects.toThrow('Too many attempts.')
      expect(looks).toBe(1)
      await vi.advanceTimersByTimeAsync(1_000)
      noted.unlockedAt = new Date()
      await (await tryIt()).succeeded()
      await (await tryIt('one')).succeeded()
      expect(looks).toBe(3)
      // One clearing is no permission for more.
      await Promise.all(times(10, () => tryIt()))
      await vi.advanceTimersByTimeAsync(1_000)
      await expect(tryIt()).rejects.toThrow('Too many attempts.')
    })

    it('tells apart the waits for passwords and for second factors, of which an unlock ends the first alone', async () => {
      for (let i = 0; i < 10; i += 1) {
        await beginPassword(app, { emailFolded, address: home, device: 'one' })
        await beginFactor(app, { emailFolded, device: 'two' })
        await beginFactor(app, { emailFolded })
      }
      const clock = { now: () => Date.now() }
      const locks = (unlockedAt?: Date) =>
        readSignInLocks({ ...app, clock }, { emailFolded, devices: ['one', 'two'], unlockedAt })
      const ofFactors = { passwords: null, factors: new Date(Date.now() + 60_000) }
      const ofPasswords = { passwords: ofFactors.factors, factors: null }
      const { strangers, devices } = await locks()
      expect([strangers, devices.get('one'), devices.get('two')]).toEqual([ofFactors, ofPasswords, ofFactors])
      const { devices: unlocked } = await locks(new Date())
      expect([unlocked.get('one'), unlocked.get('two')]).toEqual([{ passwords: null, factors: null }, ofFactors])
    })

    it('counts a known device by itself: what strangers use up, of whatever limit, keeps it from nothing', async () => {
      // Right ones of the address, wrong ones of the account, of the address, and of the site.
      for (let i = 0; i < 300; i += 1) await signIn(home, `right${i}@library.example`)
      await Promise.all(times(10, (i) => guess(elsewhere(i))))
      await passed(times(60, (i) => guess(home, `reader${i}@library.example`)))
      await passed(times(940, (i) => guess(elsewhere(i), `other${i}@library.example`)))
      await expect(guess()).rejects.toThrow('Too many attempts.')
      for (let i = 0; i < 20; i += 1) await (await onDevice({ device: 'one' })).succeeded()
      await expect(onDevice({ device: 'one' })).rejects.toEqual(tooMany(15 * 60))
    })

    it('makes a device wait for its own wrong passwords, with growing waits, and nobody else', async () => {
      expect(await passed(times(100, () => onDevice({ device: 'one' })))).toBe(10)
      for (const wait of [1, 2, 4]) {
        await expect(onDevice({ device: 'one' })).rejects.toEqual(tooMany(wait * 60))
        await minutes(wait)
        expect(await passed(times(20, () => onDevice({ device: 'one' })))).toBe(1)
      }
      await (await onDevice({ device: 'two' })).succeeded()
      // And it has taken nothing from strangers, from its address, or from the site.
      expect(await passed(times(100, () => guess()))).toBe(10)
      expect(await passed(times(100, (i) => guess(home, `reader${i}@library.example`)))).toBe(40)
    })

    it('lets all devices of an account sign in 40 times within 15 minutes, together', async () => {
      for (let i = 0; i < 40; i += 1) await (await onDevice({ device: `device ${i % 4}` })).succeeded()
      await expect(onDevice({ device: 'another' })).rejects.toEqual(tooMany(15 * 60))
      await signIn()
      await minutes(15)
      await (await onDevice({ device: 'another' })).succeeded()
    })

    it('does not count a try whose password was never looked at', async () => {
      for (let i = 0; i < 200; i += 1) await (await guess()).refund()
      await Promise.all(times(9, () => guess()))
      for (let i = 0; i < 200; i += 1) await (await guess()).refund()
      await guess()
      await expect(guess()).rejects.toEqual(tooMany(60))
    })

    it('refuses the fifty-first wrong password from an address within 15 minutes, whatever the accounts', async () => {
      for (let i = 0; i < 50; i += 1) await guess(home, `reader${i}@library.example`)
      await expect(guess(home, 'another@library.example')).rejects.toEqual(tooMany(15 * 60))
      await guess('203.0.113.8', 'another@library.example')
      await minutes(15)
      await guess(home, 'another@library.example')
    })

    it('counts an IPv6 caller by their /64', async () => {
      for (let i = 0; i < 50; i += 1) await guess(`2001:db8:1:2::${i.toString(16)}`, `reader${i}@library.example`)
      await expect(guess('2001:db8:1:2:ffff::1', 'another@library.example')).rejects.toEqual(tooMany(15 * 60))
      await guess('2001:db8:1:3::1', 'another@library.example')
    })

    it('is not moved by a forged forwarding header', async () => {
      const none = readTrustedProxies([])
      const proxy = readTrustedProxies(['10.0.0.0/8'])
      for (let i = 0; i < 50; i += 1) {
        const address =
          i % 2 === 0
            ? clientAddressOf(home, `198.51.100.${i}`, none)
            : clientAddressOf('10.0.0.1', `198.51.100.${i}, ${home}`, proxy)
        await guess(address, `reader${i}@library.example`)
      }
      const forged = clientAddressOf('10.0.0.1', `198.51.100.99, 10.0.0.1, ${home}`, proxy)
      await expect(guess(forged, 'another@library.example')).rejects.toEqual(tooMany(15 * 60))
    })

    it('lets 300 members sign in from one address within 15 minutes, also at once, and no more', async () => {
      for (let i = 0; i < 200; i += 1) await signIn(home, `reader${i}@library.example`)
      expect(await passed(times(50, (i) => signIn(home, `reader${i}@library.example`)))).toBe(50)
      // Wrong ones count apart from right ones.
      expect(await passed(times(50, (i) => guess(home, `reader${i}@library.example`)))).toBe(50)
      await minutes(15)
      for (let i = 0; i < 300; i += 1) await signIn(home, `reader${i}@library.example`)
      await expect(signIn(home, 'another@library.example')).rejects.toEqual(tooMany(15 * 60))
      await signIn('203.0.113.8', 'another@library.example')
      await minutes(15)
      await signIn(home, 'another@library.example')
    })

    it('lets a member sign in 20 times within 15 minutes, from wherever', async () => {
      for (let i = 0; i < 20; i += 1) await signIn(elsewhere(i))
      await expect(signIn(elsewhere(60))).rejects.toEqual(tooMany(15 * 60))
      await signIn(elsewhere(60), 'somebody.else@library.example')
      await minutes(15)
      await signIn(elsewhere(60))
    })

    it('counts no wrong password as a right one: a stranger takes none of what a member may do', async () => {
      for (let round = 0; round < 5; round += 1) {
        for (let i = 0; i < 9; i += 1) await guess(elsewhere(i))
        await signIn()
      }
      for (let i = 0; i < 15; i += 1) await signIn()
      await expect(signIn()).rejects.toEqual(tooMany(15 * 60))
    })

    it('lets no more in at once than may be wrong, and counts each', async () => {
      expect(await passed(times(100, (i) => signIn(elsewhere(i))))).toBe(10)
      expect(await passed(times(100, (i) => signIn(elsewhere(i))))).toBe(10)
      expect(await passed(times(100, (i) => signIn(elsewhere(i))))).toBe(0)
    })

    it('takes nothing of the wrong ones for a right one that is refused', async () => {
      for (let i = 0; i < 20; i += 1) await signIn()
      for (let i = 0; i < 100; i += 1) await expect(signIn()).rejects.toThrow('Too many attempts.')
      for (let i = 0; i < 50; i += 1) await guess(home, `reader${i}@library.example`)
      await expect(guess(home, 'another@library.example')).rejects.toEqual(tooMany(15 * 60))
    })

    it('lets callers wait in line beyond a thousand wrong ones a minute on the whole site, and tells of it', async () => {
      const told: string[] = []
      app.limits.onCrowded = ({ name }) => void told.push(name)
      expect(await passed(times(1_000, (i) => guess(elsewhere(i), `reader${i}@library.example`)))).toBe(1_000)
      expect(told).toEqual([])
      const inLine = Promise.all(times(60, (i) => guess(elsewhere(2_000 + i), `late${i}@library.example`)))
      await vi.advanceTimersByTimeAsync(3_100)
      expect(await inLine).toHaveLength(60)
      expect(new Set(told)).toEqual(new Set(['sign-in.site']))
    })

    it('refuses at once, without a place in that line or an alarm, what the account has no more tries for', async () => {
      expect(await passed(times(990, (i) => guess(elsewhere(i), `reader${i}@library.example`)))).toBe(990)
      expect(await passed(times(10, (i) => guess(elsewhere(i))))).toBe(10)
      const told: string[] = []
      app.limits.onCrowded = ({ name }) => void told.push(name)
      for (let i = 0; i < 50; i += 1) await expect(guess(elsewhere(3_000 + i))).rejects.toEqual(tooMany(60))
      expect(told).toEqual([])
    })

    it('takes no room from others for tries that were refused', async () => {
      await Promise.all(times(10, (i) => guess(elsewhere(i))))
      for (let i = 0; i < 2_000; i += 1) await expect(guess(home)).rejects.toThrow('Too many attempts.')
      await Promise.all(times(49, (i) => guess(home, `reader${i}@library.example`)))
      await guess(home, 'the fiftieth')
      for (let i = 0; i < 2_000; i += 1) await expect(guess(home, `reader${i}`)).rejects.toThrow('Too many attempts.')
      await signIn('203.0.113.8', 'another@library.example')
    })
  })

  it('allow ten registrations an hour for an address, and a thousand for the site', async () => {
    expect(await passed(times(20, () => limitRegistration(app, home)))).toBe(10)
    await expect(limitRegistration(app, home)).rejects.toEqual(tooMany(3_600))
    expect(await passed(times(990, (i) => limitRegistration(app, elsewhere(i))))).toBe(990)
    // Beyond it one comes through each 3 seconds, and nobody waits for longer than 6.
    expect(await waited(times(300, (i) => limitRegistration(app, elsewhere(1_000 + i))))).toBe(3)
    await minutes(60)
    await limitRegistration(app, home)
  })

  it('allow sixty looks at a password in ten minutes for an address, and six hundred a minute for the site', async () => {
    expect(await passed(times(100, () => limitPasswordLook(app, home)))).toBe(60)
    await expect(limitPasswordLook(app, home)).rejects.toEqual(tooMany(600))
    expect(await passed(times(540, (i) => limitPasswordLook(app, elsewhere(i))))).toBe(540)
    expect(await waited(times(20, (i) => limitPasswordLook(app, elsewhere(1_000 + i))))).toBe(20)
    // Neither is a registration.
    await limitRegistration(app, home)
  })

  it('allow thirty forgotten passwords an hour for an address, and a thousand for the site', async () => {
    const forgot = (address: string, device?: string) => limitForgotPassword(app, { address, device })
    expect(await passed(times(100, () => forgot(home)))).toBe(30)
    await expect(forgot(home)).rejects.toEqual(tooMany(3_600))
    expect(await passed(times(970, (i) => forgot(elsewhere(i))))).toBe(970)
    expect(await waited(times(6, (i) => forgot(elsewhere(1_000 + i))))).toBe(6)
    // A device that is known for the account is not kept by any of them.
    expect(await passed(times(60, () => forgot(home, 'one')))).toBe(60)
    await expect(forgot(home, 'one')).rejects.toThrow('Too many attempts.')
  })

  it('tell a member of five new devices an hour', async () => {
    for (let i = 0; i < 5; i += 1) expect(await mayNotifyOfDevice(app, 'one')).toBe(true)
    expect(await mayNotifyOfDevice(app, 'one')).toBe(false)
    expect(await mayNotifyOfDevice(app, 'other')).toBe(true)
  })

  it('allow an IPv6 /48 eight times what they allow each of its /64', async () => {
    const inNetwork = (i: number) => `2001:db8:77:${i.toString(16)}::1`
    expect(await passed(times(200, (i) => limitRegistration(app, inNetwork(i))))).toBe(80)
    await limitRegistration(app, '2001:db8:78::1')
    // A refusal of the network takes nothing from its block.
    expect(await passed(times(20, () => limitRegistration(app, '2001:db8:79::1')))).toBe(10)
  })

  it('allow thirty wrong reset links an hour for an address, and thirty uses of right ones for an account', async () => {
    expect(await passed(times(100, () => limitWrongLinks(app, home)))).toBe(30)
    await limitWrongLinks(app, '203.0.113.8')
    expect(await passed(times(100, () => limitPasswordReset(app, 'one')))).toBe(30)
    await limitPasswordReset(app, 'other')
  })

  it('allow ten changes of the password and ten exports an hour for an account, each by itself', async () => {
    expect(await passed(times(20, () => limitPasswordChange(app, 'one')))).toBe(10)
    expect(await passed(times(20, () => limitDataExport(app, 'one')))).toBe(10)
    await limitPasswordChange(app, 'other')
    await limitDataExport(app, 'other')
  })
})

const hasRedis = await redisAnswers()

describe.skipIf(!hasRedis)('limits of accounts, shared by instances over Redis', () => {
  const prefix = `daybook-test:${randomUUID()}`
  let instances: Place[]

  beforeEach(() => {
    instances = times(2, () => ({ limits: openRateLimits({ redisUrl }, silent, { prefix, answerWithinMs: 10_000 }) }))
  })
  afterEach(async () => {
    for (const { limits } of instances) limits.close()
    const redis = openRedis()
    await deleteKeys(redis, prefix)
    redis.disconnect()
  })

  it('let ten of a hundred guesses through that come at once to all instances', async () => {
    const guesses = times(100, (i) => beginPassword(instances[i % 2] as Place, { emailFolded, address: elsewhere(i) }))
    expect(await passed(guesses)).toBe(10)
    await forgiveSignIns(instances[0] as Place, { emailFolded, unlockedAt: new Date() })
    await (await beginPassword(instances[1] as Place, { emailFolded, address: home })).succeeded()
  })

  it('let fifty of a hundred guesses through that come at once from one address', async () => {
    const guesses = times(100, (i) =>
      beginPassword(instances[i % 2] as Place, { emailFolded: `reader${i}@library.example`, address: home }),
    )
    expect(await passed(guesses)).toBe(50)
  })
})
