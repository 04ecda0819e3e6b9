import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Passwords } from './passwords.server.ts'

/** Passwords are compared when the test says so. */
async function openByHand() {
  const started: { password: string; finish(isRight: boolean): void }[] = []
  const passwords = await Passwords.open({
    hash: (password) => Promise.resolve(`hash of ${password}`),
    verify: (_hash, password) => new Promise((finish) => started.push({ password, finish })),
  })
  return { passwords, started }
}

const home = '203.0.113.7'
const busy = { code: 'passwords.busy', status: 503, retryAfterSeconds: 3, isCounted: true }
/** Runs the pending microtasks. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)

describe('passwords are compared', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Asks so many times, and tells what became of each: true, or the refusal. */
  function request(
    passwords: Passwords,
    count: number,
    callerOf: (i: number) => { account?: string; address?: string; device?: string },
  ) {
    const outcomes: unknown[] = Array.from({ length: count }, () => 'waits')
    outcomes.forEach((_, i) => {
      passwords.matches(`password ${i}`, 'a hash', callerOf(i)).then(
        (isRight) => (outcomes[i] = isRight),
        (error: unknown) => (outcomes[i] = error),
      )
    })
    return outcomes
  }

  test('two at once, the others in the order in which they came', async () => {
    const { passwords, started } = await openByHand()
    const outcomes = request(passwords, 5, (i) => ({ account: `reader ${i}`, address: `203.0.113.${i}` }))
    await settle()
    expect(started.map(({ password }) => password)).toEqual(['password 0', 'password 1'])
    for (let i = 0; i < 5; i += 1) {
      started[i]?.finish(true)
      await settle()
    }
    expect(started.map(({ password }) => password)).toEqual([0, 1, 2, 3, 4].map((i) => `password ${i}`))
    expect(outcomes).toEqual([true, true, true, true, true])
  })

  test('never for longer than three seconds in line, whatever its length', async () => {
    const { passwords, started } = await openByHand()
    const outcomes = request(passwords, 4, (i) => ({ address: `203.0.113.${i}` }))
    await vi.advanceTimersByTimeAsync(2_900)
    expect(outcomes).toEqual(['waits', 'waits', 'waits', 'waits'])
    await vi.advanceTimersByTimeAsync(200)
    expect(outcomes).toEqual(['waits', 'waits', expect.objectContaining(busy), expect.objectContaining(busy)])
    // Nobody stands in the line any more: the places are free for those who come.
    started[0]?.finish(true)
    started[1]?.finish(true)
    const later = request(passwords, 2, (i) => ({ address: `203.0.113.${i}` }))
    await settle()
    expect(started).toHaveLength(4)
    started[2]?.finish(true)
    started[3]?.finish(false)
    await settle()
    expect(later).toEqual([true, false])
  })

  test('for no more than 150 in line: whoever comes after them from the same network is told at once', async () => {
    const { passwords } = await openByHand()
    const outcomes = request(passwords, 160, (i) => ({ address: `198.51.100.${i}` }))
    await settle()
    expect(outcomes.filter((outcome) => outcome === 'waits')).toHaveLength(152)
    expect(outcomes[159]).toMatchObject(busy)
  })

  test.each([
    ['an account', () => ({ account: 'reader', address: home }), 2],
    ['an account from many addresses', (i: number) => ({ account: 'reader', address: `198.51.100.${i}` }), 2],
    ['an address', (i: number) => ({ account: `reader ${i}`, address: home }), 4],
    // In another network than the honest member, who therefore comes next.
    ['an IPv6 /64', (i: number) => ({ account: `reader ${i}`, address: `2001:db8:1:2::${i}` }), 2],
    ['an IPv6 /48', (i: number) => ({ account: `reader ${i}`, address: `2001:db8:1:${i}::1` }), 2],
  ])('after at most so many others of %s', async (_what, callerOf, max) => {
    const { passwords, started } = await openByHand()
    request(passwords, 140, callerOf)
    await settle()
    const honest = passwords.matches('the honest one', 'a hash', { account: 'other', address: '203.0.113.99' })
    await settle()
    for (let i = 0; i < 140; i += 1) {
      started[i]?.finish(true)
      await settle()
    }
    expect(started.findIndex(({ password }) => password === 'the honest one')).toBe(max)
    expect(await honest).toBe(true)
  })

  test('for a known device by turns with all others, however many they are, and not after those who guess at its account', async () => {
    const { passwords, started } = await openByHand()
    // As many as can wait, at as many addresses; some for the same account.
    request(passwords, 200, (i) => ({
      account: i < 150 ? `reader ${i}` : 'owner',
      address: `198.51.${i >> 7}.${i & 127}`,
    }))
    await settle()
    const devices = request(passwords, 5, (i) => ({ account: 'owner', address: home, device: `device ${i}` }))
    await settle()
    for (let i = 0; i < 12; i += 1) {
      started[i]?.finish(true)
      await settle()
    }
    expect(devices).toEqual([true, true, true, true, true])
    // In between the others go on.
    expect(started.slice(2, 12).filter(({ password }) => password === 'password 2')).toHaveLength(2)
  })

  test('for one device two at once, and no others of its account', async () => {
    const { passwords, started } = await openByHand()
    request(passwords, 100, () => ({ account: 'owner', address: home, device: 'one' }))
    await settle()
    const honest = passwords.matches('the honest one', 'a hash', { account: 'owner', address: home, device: 'two' })
    await settle()
    for (let i = 0; i < 6; i += 1) {
      started[i]?.finish(true)
      await settle()
    }
    expect(started.findIndex(({ password }) => password === 'the honest one')).toBe(2)
    expect(await honest).toBe(true)
  })

  test('for everybody of a crowd behind one address, a few at a time', async () => {
    const { passwords, started } = await openByHand()
    const outcomes = request(passwords, 40, (i) => ({ account: `reader ${i}`, address: home }))
    for (let i = 0; i < 40; i += 1) {
      await settle()
      started[i]?.finish(true)
    }
    await settle()
    expect(outcomes).toEqual(Array.from({ length: 40 }, () => true))
  })

  test('and a hash that fails hands its place on', async () => {
    const passwords = await Passwords.open({
      hash: () => Promise.resolve('a hash'),
      verify: () => Promise.reject(new Error('There is no memory.')),
    })
    const outcomes = request(passwords, 6, () => ({ account: 'reader', address: home }))
    await settle()
    expect(outcomes).toEqual(
      Array.from({ length: 6 }, () => expect.objectContaining({ message: 'There is no memory.' })),
    )
  })
})

test('a hash is outdated where less memory or fewer passes went into it than into a new one, or another function', async () => {
  const passwords = await Passwords.open()
  const salted = 'v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA'
  const outdated = {
    [await passwords.hash('a quiet reading room')]: false,
    [`$argon2id$${salted}`]: false,
    [`$argon2id$${salted.replace('t=2', 't=3')}`]: false,
    [`$argon2id$${salted.replace('m=19456', 'm=9216')}`]: true,
    [`$argon2id$${salted.replace('t=2', 't=1')}`]: true,
    [`$argon2i$${salted}`]: true,
    $2b$10$abcdefghijklmnopqrstuv: true,
  }
  for (const [hash, isOutdated] of Object.entries(outdated)) expect(passwords.isOutdated(hash), hash).toBe(isOutdated)
})

test('lists of common passwords that could not be loaded are loaded at the next look', async () => {
  const passwords = await Passwords.open()
  const owner = { name: 'Ada', email: 'ada@readers.example', brandName: 'Daybook' }
  vi.doMock('./password-strength.server.ts', () => {
    throw new Error('too many open files')
  })
  await expect(passwords.isWeak('password1', owner)).rejects.toThrow()
  vi.doUnmock('./password-strength.server.ts')
  expect(await passwords.isWeak('password1', owner)).toBe(true)
})
