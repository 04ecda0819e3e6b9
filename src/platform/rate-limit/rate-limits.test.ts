import type { Redis } from 'ioredis'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { deleteKeys, keysOf, openRedis, redisAnswers, redisUrl, RedisWire } from '../../../tests/harness/redis.ts'
import { openRateLimits, type RateLimits } from './rate-limits.ts'

const hasRedis = await redisAnswers()

interface Line {
  level: number
  msg: string
  reason?: string
}

/** A log that can be read. */
function aLog(): { log: pino.Logger; lines: Line[] } {
  const lines: Line[] = []
  return { lines, log: pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line) as Line) }) }
}

const levels = { info: 30, warn: 40 }

/** The results of several tries: how many passed, and how the others were refused. */
async function outcomes(tries: Promise<unknown>[]): Promise<{ passed: number; refused: unknown[] }> {
  const settled = await Promise.allSettled(tries)
  const refused = settled.filter((one) => one.status === 'rejected').map((one) => one.reason as unknown)
  return { passed: settled.length - refused.length, refused }
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

const tooMany = (retryAfterSeconds: unknown): object =>
  expect.objectContaining({ code: 'limit.exceeded', status: 429, retryAfterSeconds }) as object

/** With the real clock: a busy machine may take some of the seconds before it asks. */
const tooManyFor = (seconds: number): object =>
  tooMany(expect.toSatisfy((given: number) => given > seconds - 15 && given <= seconds))

/** The setting of this suite: its counters, and its clock. */
interface Stage {
  /** The limits of one instance. */
  open(): RateLimits
  pass(seconds: number): Promise<void>
  tearDown(): Promise<void>
}

function inProcess(): Stage {
  vi.useFakeTimers()
  return {
    open: () => openRateLimits({ redisUrl: undefined }, aLog().log),
    async pass(seconds) {
      await vi.advanceTimersByTimeAsync(seconds * 1_000)
    },
    tearDown() {
      vi.useRealTimers()
      return Promise.resolve()
    },
  }
}

function inRedis(): Stage {
  const prefix = `daybook-test:${randomUUID()}`
  const opened: RateLimits[] = []
  return {
    open() {
      const limits = openRateLimits({ redisUrl }, aLog().log, { prefix, answerWithinMs: timeoutMs })
      opened.push(limits)
      return limits
    },
    pass: (seconds) => sleep(seconds * 1_000),
    async tearDown() {
      for (const limits of opened) limits.close()
      const redis = openRedis()
      await deleteKeys(redis, prefix)
      redis.disconnect()
    },
  }
}

describe('limits, counted in process,', () => {
  keepTheirPromises(inProcess)
})

describe('a limit of the whole site', () => {
  const rule = { name: 'all', what: 'tries', points: 10, seconds: 60, inLine: { points: 2, seconds: 2 } }
  let limits: RateLimits
  let told: string[]
  beforeEach(() => {
    vi.useFakeTimers()
    limits = openRateLimits({ redisUrl: undefined }, aLog().log)
    told = []
    limits.onCrowded = ({ name }) => void told.push(name)
  })
  afterEach(() => {
    limits.close()
    vi.useRealTimers()
  })

  const consume = (caller: string, isSpared?: () => Promise<boolean>) =>
    limits.siteLimit(rule).consume({ caller, ...(isSpared === undefined ? {} : { isSpared }) })
  const all = (count: number, callerOf: (i: number) => string) =>
    outcomes(Array.from({ length: count }, (_, i) => consume(callerOf(i))))
  const useUp = () => all(10, () => 'a flood')

  it('lets so many through at once, and tells of the next', async () => {
    expect((await useUp()).passed).toBe(10)
    expect(told).toEqual([])
    await consume('somebody')
    expect(told).toEqual(['all'])
  })

  it('lets those who come after them wait in line, for six seconds at most', async () => {
    await useUp()
    const inLine = all(20, (i) => `caller ${i}`)
    await vi.advanceTimersByTimeAsync(10_000)
    const { passed, refused } = await inLine
    // Two each two seconds; whether those at the very end come through is open.
    expect(passed).toBeGreaterThanOrEqual(6)
    expect(passed).toBeLessThanOrEqual(8)
    for (const error of refused) expect(error).toEqual(tooMany(expect.any(Number)))
  })

  it('keeps nobody waiting behind the many requests of one caller', async () => {
    await useUp()
    const flood = all(100, () => 'a flood')
    await vi.advanceTimersByTimeAsync(0)
    const honest = consume('somebody')
    let isThrough = false
    void honest.then(() => (isThrough = true))
    await vi.advanceTimersByTimeAsync(2_100)
    expect(isThrough).toBe(true)
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await flood).passed).toBeLessThanOrEqual(4)
  })

  it('spares who has a budget of their own, and asks that only when it is all taken', async () => {
    const asked: string[] = []
    const isSpared = (): Promise<boolean> => {
      asked.push('asked')
      return Promise.resolve(true)
    }
    await consume('member', isSpared)
    expect(asked).toEqual([])
    await useUp()
    for (let i = 0; i < 50; i += 1) await consume('member', isSpared)
    expect(asked).toHaveLength(50)
  })

  it('gives back what turned out not to count', async () => {
    for (let i = 0; i < 100; i += 1) await (await consume('somebody'))()
    await useUp()
    for (let i = 0; i < 100; i += 1) await (await consume('somebody'))()
    expect(vi.getTimerCount()).toBeLessThan(100)
  })
})
describe.skipIf(!hasRedis)('limits, counted in Redis,', () => {
  keepTheirPromises(inRedis)
})

function keepTheirPromises(setUp: () => Stage): void {
  let stage: Stage

  beforeEach(() => {
    stage = setUp()
  })
  afterEach(() => stage.tearDown())

  describe('a window', () => {
    const rule = { name: 'tries', points: 3, seconds: 2 }

    it('lets so many through, and then none until it ends', async () => {
      const limit = stage.open().limit(rule)
      expect(await outcomes(times(3, () => limit.consume('a')))).toEqual({ passed: 3, refused: [] })
      await expect(limit.consume('a')).rejects.toEqual(tooMany(2))
      await stage.pass(1)
      await expect(limit.consume('a')).rejects.toEqual(tooMany(1))
      await stage.pass(1.05)
      await limit.consume('a')
    })

    it('is for each key by itself', async () => {
      const limit = stage.open().limit(rule)
      await Promise.all(times(3, () => limit.consume('a')))
      await expect(limit.consume('a')).rejects.toThrow('Too many attempts.')
      await limit.consume('b')
    })

    it('is for each rule by itself, and the same for the same rule', async () => {
      const limits = stage.open()
      await Promise.all(times(3, () => limits.limit(rule).consume('a')))
      await expect(limits.limit(rule).consume('a')).rejects.toThrow('Too many attempts.')
      await limits.limit({ ...rule, name: 'others' }).consume('a')
    })

    it('overlooks none of a hundred who come at once', async () => {
      const limit = stage.open().limit({ name: 'crowd', points: 10, seconds: 60 })
      const { passed, refused } = await outcomes(times(100, () => limit.consume('a')))
      expect(passed).toBe(10)
      expect(refused).toHaveLength(90)
      for (const error of refused) expect(error).toEqual(tooMany(60))
    })

    it('has one place again for each that is given back, however many were refused meanwhile', async () => {
      const limit = stage.open().limit({ ...rule, seconds: 60 })
      await Promise.all(times(3, () => limit.consume('a')))
      await outcomes(times(20, () => limit.consume('a')))
      await limit.refund('a')
      expect((await outcomes(times(5, () => limit.consume('a')))).passed).toBe(1)
    })

    it('has never more places than its points, whatever is given back', async () => {
      const limit = stage.open().limit({ ...rule, seconds: 60 })
      for (let i = 0; i < 5; i += 1) await limit.refund('a')
      expect((await outcomes(times(10, () => limit.consume('a')))).passed).toBe(3)
      for (let i = 0; i < 5; i += 1) await limit.refund('a')
      expect((await outcomes(times(10, () => limit.consume('a')))).passed).toBe(3)
    })

    it('begins anew when it is forgotten', async () => {
      const limit = stage.open().limit({ ...rule, seconds: 60 })
      await outcomes(times(10, () => limit.consume('a')))
      await limit.delete('a')
      expect((await outcomes(times(10, () => limit.consume('a')))).passed).toBe(3)
    })

    it('takes any text for a key, and tells two texts apart', async () => {
      const limit = stage.open().limit({ ...rule, points: 1, seconds: 60 })
      const keys = ['', ' ', ':', '*', '\u0000', 'a\r\nDEL b', '__proto__', 'constructor', '🦊', 'x'.repeat(100_000)]
      for (const key of keys) await limit.consume(key)
      for (const key of keys) await expect(limit.consume(key)).rejects.toThrow('Too many attempts.')
    })
  })

  describe('growing waits', () => {
    const rule = {
      name: 'guesses',
      points: 3,
      seconds: 60,
      firstWaitSeconds: 1,
      longestWaitSeconds: 2,
      rememberSeconds: 60,
    }

    it('begin with the last of the points; then there is one try after each', async () => {
      const limit = stage.open().growingLimit(rule)
      expect((await outcomes(times(3, () => limit.consume('a')))).passed).toBe(3)
      await expect(limit.consume('a')).rejects.toEqual(tooMany(1))
      await stage.pass(1.05)
      expect((await outcomes(times(20, () => limit.consume('a')))).passed).toBe(1)
      await expect(limit.consume('a')).rejects.toEqual(tooMany(2))
      await stage.pass(2.05)
      expect((await outcomes(times(20, () => limit.consume('a')))).passed).toBe(1)
      await expect(limit.consume('a')).rejects.toEqual(tooMany(2))
    })

    it('are not lengthened by those who do not wait', async () => {
      const limit = stage.open().growingLimit({ ...rule, points: 1 })
      await limit.consume('a')
      for (let i = 0; i < 4; i += 1) {
        await expect(limit.consume('a')).rejects.toEqual(tooMany(1))
        await stage.pass(0.2)
      }
      await stage.pass(0.25)
      await limit.consume('a')
    })

    it('let no more than the points through of a hundred who come at once', async () => {
      const limit = stage.open().growingLimit({ ...rule, points: 10, firstWaitSeconds: 60, longestWaitSeconds: 60 })
      const { passed, refused } = await outcomes(times(100, () => limit.consume('a')))
      expect(passed).toBe(10)
      for (const error of refused) expect(error).toEqual(tooMany(60))
    })

    it('end when they are forgotten', async () => {
      const limit = stage.open().growingLimit(rule)
      await outcomes(times(10, () => limit.consume('a')))
      await limit.delete('a')
      expect((await outcomes(times(10, () => limit.consume('a')))).passed).toBe(3)
      await expect(limit.consume('a')).rejects.toEqual(tooMany(1))
    })

    it('are as they were before when a try is given back', async () => {
      const limit = stage.open().growingLimit({ ...rule, firstWaitSeconds: 1, longestWaitSeconds: 60 })
      const first = await limit.consume('a')
      await first()
      const refund = await Promise.all(times(3, () => limit.consume('a')))
      await refund[0]?.()
      await refund[1]?.()
      await refund[2]?.()
      expect((await outcomes(times(10, () => limit.consume('a')))).passed).toBe(3)
      await stage.pass(1.05)
      const afterOneWait = await limit.consume('a')
      await expect(limit.consume('a')).rejects.toEqual(tooMany(2))
      await afterOneWait()
      await limit.consume('a')
      await expect(limit.consume('a')).rejects.toEqual(tooMany(2))
    })
  })
}

describe('limits in process', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  describe('that are waited for', () => {
    const open = () => openRateLimits({ redisUrl: undefined }, aLog().log).limit({ name: 'gap', points: 1, seconds: 1 })

    it('keep the beginnings of two of one key apart, and let other keys begin at once', async () => {
      const limit = open()
      const begun: string[] = []
      const ask = (key: string) => limit.consumeInTime(key).then(() => begun.push(key))
      const asked = Promise.all(['a', 'a', 'b', 'a'].map(ask))
      await vi.advanceTimersByTimeAsync(0)
      expect(begun).toEqual(['a', 'b'])
      await vi.advanceTimersByTimeAsync(999)
      expect(begun).toEqual(['a', 'b'])
      await vi.advanceTimersByTimeAsync(1)
      expect(begun).toEqual(['a', 'b', 'a'])
      await vi.advanceTimersByTimeAsync(1_000)
      expect(begun).toEqual(['a', 'b', 'a', 'a'])
      await asked
      // Asked long enough ago: at once.
      await vi.advanceTimersByTimeAsync(1_000)
      await ask('a')
      expect(begun).toHaveLength(5)
    })

    it('end a wait that is called off, and let nobody begin who was called off before', async () => {
      const limit = open()
      const stop = new AbortController()
      await limit.consumeInTime('a')
      const waiting = limit.consumeInTime('a', { signal: stop.signal })
      await vi.advanceTimersByTimeAsync(500)
      stop.abort(new Error('enough'))
      await expect(waiting).rejects.toThrow('enough')
      await expect(limit.consumeInTime('b', { signal: stop.signal })).rejects.toThrow('enough')
      await vi.advanceTimersByTimeAsync(500)
      expect(vi.getTimerCount()).toBe(0)
    })

    it('refuse at once where the wait would be longer than there is time', async () => {
      const limit = open()
      await limit.consumeInTime('a')
      await expect(limit.consumeInTime('a', { until: performance.now() + 999 })).rejects.toEqual(tooMany(1))
      const inTime = limit.consumeInTime('a', { until: performance.now() + 1_001 })
      await vi.advanceTimersByTimeAsync(1_000)
      await inTime
    })
  })

  const minute = 60
  const rule = {
    name: 'guesses',
    points: 10,
    seconds: 15 * minute,
    firstWaitSeconds: minute,
    longestWaitSeconds: 60 * minute,
    rememberSeconds: 24 * 60 * minute,
  }

  it('double the wait from one minute to an hour', async () => {
    const limit = openRateLimits({ redisUrl: undefined }, aLog().log).growingLimit(rule)
    await Promise.all(times(10, () => limit.consume('a')))
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      await expect(limit.consume('a')).rejects.toEqual(tooMany(minutes * minute))
      await vi.advanceTimersByTimeAsync(minutes * minute * 1_000 - 1)
      await expect(limit.consume('a')).rejects.toEqual(tooMany(1))
      await vi.advanceTimersByTimeAsync(1)
      await limit.consume('a')
    }
  })

  it('remember the waits for a day after the last try, and not for longer', async () => {
    const limit = openRateLimits({ redisUrl: undefined }, aLog().log).growingLimit(rule)
    await Promise.all(times(10, () => limit.consume('a')))
    await vi.advanceTimersByTimeAsync((24 * 60 * minute - 1) * 1_000)
    await limit.consume('a')
    await expect(limit.consume('a')).rejects.toEqual(tooMany(2 * minute))
    await vi.advanceTimersByTimeAsync(24 * 60 * minute * 1_000)
    expect((await outcomes(times(20, () => limit.consume('a')))).passed).toBe(10)
    await expect(limit.consume('a')).rejects.toEqual(tooMany(minute))
  })

  it.each([
    [1, '1 second'],
    [2, '2 seconds'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [61, '2 minutes'],
    [120, '2 minutes'],
    [900, '15 minutes'],
    [3_600, '60 minutes'],
  ])('say after %d seconds that there is to be waited: %s', async (seconds, words) => {
    const limit = openRateLimits({ redisUrl: undefined }, aLog().log).limit({ name: 'once', points: 1, seconds })
    await limit.consume('a')
    await expect(limit.consume('a')).rejects.toThrow(`Too many attempts. Please try again in ${words}.`)
  })

  it('hold a bounded number of keys: beyond it new ones share their counts, and old ones keep theirs', async () => {
    const limit = openRateLimits({ redisUrl: undefined }, aLog().log).limit({ name: 'flood', points: 1, seconds: 60 })
    await limit.consume('the first')
    for (let i = 1; i < 50_000; i += 1) await limit.consume(`key ${i}`)
    expect(vi.getTimerCount()).toBe(50_000)
    // Every key beyond has its place among 4,096 counts, of one point each.
    expect((await outcomes(times(20_000, () => limit.consume(randomUUID())))).passed).toBeLessThanOrEqual(4_096)
    expect(vi.getTimerCount()).toBeLessThanOrEqual(50_000 + 4_096)
    await expect(limit.consume('the first')).rejects.toThrow('Too many attempts.')
    // As soon as counts have ended there is room again.
    await vi.advanceTimersByTimeAsync(61_000)
    expect((await outcomes(times(1_000, () => limit.consume(randomUUID())))).passed).toBe(1_000)
  })
})

/** On a machine that is busy otherwise, a Redis that is well may take its time. */
const timeoutMs = 10_000
/** As the site waits. */
/** Five times what is usual: a busy machine is no Redis that hangs. */
const usual = { answerWithinMs: 1_000 }

describe.skipIf(!hasRedis)('limits that instances share over Redis', () => {
  let redis: Redis
  let wire: RedisWire
  let prefix: string
  const opened: RateLimits[] = []
  const anInstance = (
    url = wire.url,
    timeout = { answerWithinMs: timeoutMs },
  ): { limits: RateLimits; lines: Line[] } => {
    const { log, lines } = aLog()
    const limits = openRateLimits({ redisUrl: url }, log, { prefix, ...timeout })
    opened.push(limits)
    return { limits, lines }
  }
  const rule = { name: 'tries', points: 5, seconds: 60 }

  beforeEach(async () => {
    redis = openRedis()
    wire = await RedisWire.open()
    prefix = `daybook-test:${randomUUID()}`
  })
  afterEach(async () => {
    for (const limits of opened.splice(0)) limits.close()
    await wire.cut()
    await deleteKeys(redis, prefix)
    redis.disconnect()
  })

  it('count once for all', async () => {
    const [one, other] = [anInstance().limits.limit(rule), anInstance().limits.limit(rule)]
    const tries = [...times(50, () => one.consume('a')), ...times(50, () => other.consume('a'))]
    expect((await outcomes(tries)).passed).toBe(5)
    await one.delete('a')
    expect((await outcomes(times(10, () => other.consume('a')))).passed).toBe(5)
    await one.refund('a')
    await other.consume('a')
  })

  it('let one through after a wait, whichever instance is asked', async () => {
    const waits = { ...rule, firstWaitSeconds: 1, longestWaitSeconds: 60, rememberSeconds: 60 }
    const [one, other] = [anInstance().limits.growingLimit(waits), anInstance().limits.growingLimit(waits)]
    const crowd = (): Promise<unknown>[] => [
      ...times(50, () => one.consume('a')),
      ...times(50, () => other.consume('a')),
    ]
    expect((await outcomes(crowd())).passed).toBe(5)
    await sleep(1_050)
    expect((await outcomes(crowd())).passed).toBe(1)
  })

  it('outlast the instance', async () => {
    const first = anInstance()
    await Promise.all(times(5, () => first.limits.limit(rule).consume('a')))
    first.limits.close()
    await expect(anInstance().limits.limit(rule).consume('a')).rejects.toEqual(tooManyFor(60))
  })

  it('tell Redis nothing of whom a key stands for, and leave nothing there for ever', async () => {
    const { limits } = anInstance()
    await limits.limit(rule).consume('reader@library.example')
    await limits
      .growingLimit({ ...rule, points: 1, firstWaitSeconds: 60, longestWaitSeconds: 60, rememberSeconds: 60 })
      .consume('reader@library.example')
    const keys = await keysOf(redis, prefix)
    expect(keys.length).toBeGreaterThanOrEqual(4)
    for (const key of keys) {
      expect(key).not.toMatch(/reader|library|@/)
      expect(await redis.get(key)).toMatch(/^\d+$/)
      expect(await redis.ttl(key), key).toBeGreaterThan(0)
    }
  })

  it('go on in process when Redis goes, and are shared again when it is back, with one line in the log for each', async () => {
    const { limits, lines } = anInstance()
    const limit = limits.limit(rule)
    await Promise.all(times(5, () => limit.consume('before')))
    await wire.cut()
    await expect.poll(() => lines.length).toBe(1)
    expect(lines[0]).toMatchObject({
      level: levels.warn,
      msg: expect.stringContaining('Redis does not answer') as string,
    })

    const startedAt = performance.now()
    expect(limits.isAlone).toBe(true)
    expect((await outcomes(times(50, () => limit.consume('meanwhile')))).passed).toBe(5)
    await limit.refund('meanwhile')
    await limit.consume('meanwhile')
    await limit.delete('meanwhile')
    const waitsMs: number[] = []
    for (let i = 0; i < 20; i += 1) {
      const begunAt = performance.now()
      await outcomes([limit.consume('meanwhile')])
      waitsMs.push(performance.now() - begunAt)
    }
    // A busy machine holds up some of them; most wait for nothing, and none for Redis.
    expect(waitsMs.toSorted((a, b) => a - b)[10]).toBeLessThan(100)
    expect(performance.now() - startedAt).toBeLessThan(timeoutMs - 1_000)

    // Several rounds of looking for it are no further lines.
    await sleep(2_500)
    await wire.mend()
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2)
    expect(lines[1]).toMatchObject({
      level: levels.info,
      msg: expect.stringContaining('Redis answers again') as string,
    })
    expect(limits.isAlone).toBe(false)
    await expect(limit.consume('before')).rejects.toThrow('Too many attempts.')
    expect((await outcomes(times(10, () => limit.consume('meanwhile')))).passed).toBe(5)
  })

  it('wait for a Redis that hangs once, for as long as an answer may take, and not again', async () => {
    const { limits, lines } = anInstance(wire.url, usual)
    const limit = limits.limit(rule)
    await limit.consume('before')
    wire.swallow()
    const startedAt = performance.now()
    expect((await outcomes(times(50, () => limit.consume('a')))).passed).toBe(5)
    const waited = performance.now() - startedAt
    expect(waited).toBeGreaterThan(900)
    expect(waited).toBeLessThan(8_000)
    for (let i = 0; i < 20; i += 1) await expect(limit.consume('a')).rejects.toThrow('Too many attempts.')
    // Twenty waits would take twenty seconds.
    expect(performance.now() - startedAt - waited).toBeLessThan(10_000)

    // It is looked for, and none of the connections that hang is left behind.
    await expect.poll(() => wire.begun, { timeout: 30_000 }).toBe(3)
    expect(wire.holding).toBe(1)
    expect(lines).toHaveLength(1)
    await wire.mend()
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2)
    await limit.consume('before')
  })

  it('do not take a busy process for a Redis that hangs', async () => {
    // Over the wire, which is in this process, the answer would be as late as the process is busy.
    const { limits, lines } = anInstance(redisUrl, usual)
    const limit = limits.limit(rule)
    await limit.consume('a')
    const taken = limit.consume('a')
    await new Promise((sent) => setImmediate(sent))
    const until = performance.now() + 1_500
    while (performance.now() < until);
    await taken
    await limit.consume('a')
    expect(lines).toEqual([])
    expect(await keysOf(redis, `${prefix}:tries`)).toHaveLength(1)
  })

  it('go on in process when Redis answers and does not count', async () => {
    const { limits, lines } = anInstance()
    const limit = limits.limit(rule)
    await limit.consume('a')
    // A count that is no number stands for every answer that is an error.
    const [key] = await keysOf(redis, `${prefix}:tries`)
    await redis.set(key as string, 'no number')
    expect((await outcomes(times(10, () => limit.consume('a')))).passed).toBe(5)
    expect(lines[0]).toMatchObject({ level: levels.warn, reason: expect.stringContaining('not an integer') as string })
  })

  it('take part in no attempt that was begun before Redis went: what was taken there is not given back elsewhere', async () => {
    const { limits, lines } = anInstance()
    const limit = limits.limit(rule)
    await Promise.all(times(5, () => limit.consume('a')))
    await wire.cut()
    await expect.poll(() => lines.length).toBe(1)
    for (let i = 0; i < 5; i += 1) await limit.refund('a')
    expect((await outcomes(times(20, () => limit.consume('a')))).passed).toBe(5)
  })

  it('stand from the start without a Redis that does not answer', async () => {
    await wire.cut()
    const gone = anInstance(wire.url, usual)
    const startedAt = performance.now()
    expect((await outcomes(times(10, () => gone.limits.limit(rule).consume('a')))).passed).toBe(5)
    expect(performance.now() - startedAt).toBeLessThan(8_000)
    await expect.poll(() => gone.lines.length).toBe(1)
    expect(gone.lines[0]).toMatchObject({
      level: levels.warn,
      reason: expect.stringContaining('ECONNREFUSED') as string,
    })

    await wire.mend()
    wire.swallow()
    const silent = anInstance(wire.url, usual)
    const beganAt = performance.now()
    expect((await outcomes(times(10, () => silent.limits.limit(rule).consume('a')))).passed).toBe(5)
    expect(performance.now() - beganAt).toBeLessThan(8_000)
    await expect.poll(() => silent.lines.length, { timeout: 20_000 }).toBe(1)
  })

  it('never write a password into the log', async () => {
    const { port } = new URL(wire.url)
    const { limits, lines } = anInstance(`redis://user:hunter2@127.0.0.1:${port}`)
    await limits.limit(rule).consume('a')
    await expect.poll(() => lines.length).toBe(1)
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  })

  it('say nothing and hold nothing once they are closed', async () => {
    const { limits, lines } = anInstance()
    await limits.limit(rule).consume('a')
    limits.close()
    const { begun } = wire
    await wire.cut()
    await wire.mend()
    await sleep(1_500)
    expect(wire.begun).toBe(begun)
    expect(wire.holding).toBe(0)
    expect(lines).toEqual([])
  })
})

it('need no Redis: an unreachable one crashes nothing', async () => {
  const { log, lines } = aLog()
  // Port 1 is nobody's.
  const limits = openRateLimits({ redisUrl: 'redis://127.0.0.1:1' }, log)
  onTestFinished(() => limits.close())
  const limit = limits.limit({ name: 'tries', points: 2, seconds: 60 })
  expect((await outcomes(times(5, () => limit.consume('a')))).passed).toBe(2)
  await expect.poll(() => lines.length).toBe(1)
  await sleep(1_500)
  expect(lines).toHaveLength(1)
})
