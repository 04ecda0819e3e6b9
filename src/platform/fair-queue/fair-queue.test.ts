import { describe, expect, test, vi } from 'vitest'
import { runForRequest } from '../current-request.ts'
import { AppError } from '../errors.ts'
import { type Caller, FairQueue, type QueueRules } from './fair-queue.ts'

const rules: QueueRules = {
  atOnce: 2,
  maxWaiting: 5,
  maxWaitMs: 10_000,
  perAccount: 1,
  perAddress: 1,
  perNetwork: 2,
  hasLaneForAccounts: true,
  isOfMainThread: true,
  busy: () => new AppError({ code: 'test.busy', status: 503, message: 'Busy.', retryAfterSeconds: 3, isCounted: true }),
}

/** Work that ends when the test says so, in the order in which it began. */
function byHand(queue: FairQueue) {
  const begun: { name: string; end: () => void }[] = []
  return {
    names: () => begun.map(({ name }) => name),
    ask: (name: string, caller: Caller) =>
      queue.run(caller, () => new Promise<string>((resolve) => begun.push({ name, end: () => resolve(name) }))),
    async endNext() {
      begun.shift()?.end()
      await settle()
    },
  }
}

const settle = async (): Promise<void> => {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('a fair queue', () => {
  test('lets members with a session in by their account, by turns with visitors', async () => {
    const { ask, names, endNext } = byHand(new FairQueue(rules))
    const all = ['a', 'b', 'c', 'd', 'e'].map((name, i) => ask(name, { address: `203.0.113.${i}` }))
    all.push(ask('member', { account: '1', address: '203.0.113.0' }))
    all.push(ask('again', { account: '1', address: '203.0.113.9' }))
    await settle()
    expect(names()).toEqual(['a', 'b'])
    await endNext()
    expect(names()).toEqual(['b', 'member'])
    await endNext()
    expect(names()).toEqual(['member', 'c'])
    // The second of the account has its place now, and its turn after the visitor whose turn it is.
    await endNext()
    expect(names()).toEqual(['c', 'd'])
    await endNext()
    expect(names()).toEqual(['d', 'again'])
    for (let i = 0; i < 3; i += 1) await endNext()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e', 'member', 'again'])
  })

  test('lets no address fill the lane of members or of known devices, however many of them it has', async () => {
    const { ask, names, endNext } = byHand(new FairQueue({ ...rules, perAddress: 2, maxWaiting: 30 }))
    const flood = Array.from({ length: 20 }, (_, i) =>
      ask(
        `flood ${i}`,
        i % 2 === 0 ? { account: `${i}`, address: '203.0.113.7' } : { device: `${i}`, address: '203.0.113.7' },
      ),
    )
    const honest = [
      ask('member', { account: 'own', address: '203.0.113.8' }),
      ask('known', { device: 'own', address: '203.0.113.9' }),
    ]
    await settle()
    expect(names()).toEqual(['flood 0', 'flood 1'])
    await endNext()
    await endNext()
    expect(names()).toEqual(['member', 'known'])
    for (let i = 0; i < 25; i += 1) await endNext()
    expect(await Promise.all([...flood, ...honest])).toHaveLength(22)
  })

  test('gives the next free place to the network with the fewest under way, and among equals to who came first', async () => {
    const { ask, names, endNext } = byHand(new FairQueue({ ...rules, atOnce: 3, maxWaiting: 50 }))
    const flood = Array.from({ length: 20 }, (_, i) => ask(`flood ${i}`, { address: `198.51.100.${i}` }))
    await settle()
    const visitors = [
      ask('visitor', { address: '203.0.113.1' }),
      ask('same network', { address: '203.0.113.2' }),
      ask('IPv6', { address: '2001:db8:1::1' }),
    ]
    await settle()
    expect(names()).toEqual(['flood 0', 'flood 1', 'flood 2'])
    await endNext()
    await endNext()
    // Each of the networks has one; then the second of a network comes after those of equals who came before.
    expect(names()).toEqual(['flood 2', 'visitor', 'IPv6'])
    await endNext()
    expect(names()).toEqual(['visitor', 'IPv6', 'flood 3'])
    await endNext()
    expect(names()).toEqual(['IPv6', 'flood 3', 'same network'])
    await endNext()
    expect(names()).toEqual(['flood 3', 'same network', 'flood 4'])
    for (let i = 0; i < 30; i += 1) await endNext()
    expect(await Promise.all([...flood, ...visitors])).toHaveLength(23)
  })

  test('counts what is done no longer: a network that waits is not passed over for ever', async () => {
    const { ask, names, endNext } = byHand(new FairQueue({ ...rules, atOnce: 2, maxWaiting: 200 }))
    const own = [ask('own 0', { address: '203.0.113.1' }), ask('own 1', { address: '203.0.113.2' })]
    const waiting = ask('own 2', { address: '203.0.113.3' })
    // Others come all the time, each from a network of its own.
    const others: Promise<string>[] = []
    const come = (): void => void others.push(ask('other', { address: `198.51.${others.length}.1` }))
    for (let i = 0; i < 5; i += 1) come()
    await settle()
    const begun: string[] = []
    for (let i = 0; i < 5; i += 1) {
      await endNext()
      begun.push(names().at(-1) as string)
      come()
    }
    // As soon as none of its network is under way, it is the first of equals.
    expect(begun).toContain('own 2')
    expect(begun.indexOf('own 2')).toBeLessThanOrEqual(2)
    for (let i = 0; i < 30; i += 1) await endNext()
    await Promise.all([...own, waiting, ...others])
  })

  test('keeps a place in line for every network: where the line is full, whoever came last of the longest goes', async () => {
    const { ask, names, endNext } = byHand(new FairQueue(rules))
    const flood = Array.from({ length: 7 }, (_, i) =>
      ask(`flood ${i}`, { address: `198.51.100.${i}` }).catch(() => 'refused'),
    )
    await settle()
    const visitor = ask('visitor', { address: '203.0.113.1' })
    expect(await flood[6]).toBe('refused')
    await settle()
    await endNext()
    expect(names()).toEqual(['flood 1', 'visitor'])
    for (let i = 0; i < 8; i += 1) await endNext()
    expect(await visitor).toBe('visitor')
    expect(await Promise.all(flood)).toEqual([...[0, 1, 2, 3, 4, 5].map((i) => `flood ${i}`), 'refused'])
  })

  test('begins nothing for a caller who has gone, and gives their place to the next', async () => {
    const { ask, names, endNext } = byHand(new FairQueue({ ...rules, atOnce: 1, endsWithRequest: true }))
    const asking = (name: string, address: string, signal: AbortSignal): Promise<string> =>
      runForRequest({ requestId: name, address, signal }, () =>
        ask(name, { address }).catch((error: unknown) => (error as Error).name),
      )
    const [gone, stays] = [new AbortController(), new AbortController()]
    const first = asking('first', '203.0.113.1', stays.signal)
    // One waits for the queue, one for its caller's own place, and one comes too late.
    const all = [asking('a', '203.0.113.2', gone.signal), asking('b', '203.0.113.1', gone.signal)]
    const last = asking('last', '203.0.113.3', stays.signal)
    await settle()
    gone.abort()
    expect(await Promise.all([...all, asking('c', '203.0.113.4', gone.signal)])).toEqual(Array(3).fill('AbortError'))
    await endNext()
    expect(names()).toEqual(['last'])
    await endNext()
    expect(await Promise.all([first, last])).toEqual(['first', 'last'])
    // Work that has begun goes on: others may wait for it.
    const begun = asking('begun', '203.0.113.5', stays.signal)
    await settle()
    stays.abort()
    await endNext()
    expect(await begun).toBe('begun')
  })

  test('looks once more before the work begins: a caller may go while they wait for their round', async () => {
    const queue = new FairQueue({ ...rules, atOnce: 1, endsWithRequest: true })
    const caller = new AbortController()
    const order: string[] = []
    const first = queue.run({ address: '203.0.113.1' }, () => Promise.resolve())
    const waiting = runForRequest({ requestId: '', address: '', signal: caller.signal }, () =>
      queue.run({ address: '203.0.113.2' }, () => Promise.resolve(order.push('begun'))),
    )
    await first
    caller.abort()
    await expect(waiting).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    expect([order, queue.running]).toEqual([[], 0])
  })

  test('begins what has waited in a round of its own: what needs no turn comes in between', async () => {
    const queue = new FairQueue({ ...rules, atOnce: 1 })
    const order: string[] = []
    const work = (name: string) => () => {
      order.push(name)
      return Promise.resolve()
    }
    const all = ['a', 'b', 'c'].map((name, i) => queue.run({ address: `203.0.113.${i}` }, work(name)))
    setImmediate(() => order.push('kept'))
    await Promise.all(all)
    expect(order.indexOf('kept')).toBeLessThan(order.indexOf('c'))
  })

  test('does not wait for what waits for something else', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { ask, names, endNext } = byHand(new FairQueue({ ...rules, atOnce: 1, placesForMs: 500 }))
      const stuck = ask('stuck', { address: '203.0.113.1' })
      const next = ask('next', { address: '203.0.113.2' })
      // The place of its caller it keeps: nobody has more under way by asking for what is slow.
      const own = ask('own', { address: '203.0.113.1' })
      await vi.advanceTimersByTimeAsync(499)
      expect(names()).toEqual(['stuck'])
      await vi.advanceTimersByTimeAsync(1)
      await settle()
      expect(names()).toEqual(['stuck', 'next'])
      // The place that was given back is not given back again.
      await endNext()
      const last = ask('last', { address: '203.0.113.3' })
      await settle()
      expect(names()).toEqual(['next'])
      for (let i = 0; i < 3; i += 1) await endNext()
      expect(await Promise.all([stuck, next, own, last])).toEqual(['stuck', 'next', 'own', 'last'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('refuses whom there is no room for, and lets in those who come when there is', async () => {
    const { ask, endNext } = byHand(new FairQueue({ ...rules, maxWaitMs: 20 }))
    const first = [ask('a', { address: '203.0.113.1' }), ask('b', { address: '203.0.113.2' })]
    const refused = { code: 'test.busy', status: 503, retryAfterSeconds: 3, isCounted: true }
    await expect(ask('c', { address: '203.0.113.3' })).rejects.toMatchObject(refused)
    const waiting = Array.from({ length: 6 }, (_, i) => ask('d', { address: `198.51.100.${i}` }).catch(() => 'refused'))
    // The sixth finds five in line.
    expect(await Promise.race(waiting)).toBe('refused')
    await endNext()
    await endNext()
    expect(await Promise.all(first)).toEqual(['a', 'b'])
    await Promise.all(waiting.slice(5))
    const later = ask('e', { address: '203.0.113.9' })
    await settle()
    for (let i = 0; i < 8; i += 1) await endNext()
    expect(await later).toBe('e')
  })
})
