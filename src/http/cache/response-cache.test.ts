import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CachedResponse } from './cached-response.ts'
import { ResponseCache, type Rendered } from './response-cache.ts'
import { Compressions } from './compressions.ts'
import { openLog } from '../../platform/log.ts'

const compressions = new Compressions(openLog('silent'))
const json = 'application/json; charset=utf-8'
const answer = (text: string, status = 200): CachedResponse => new CachedResponse(status, json, Buffer.from(text))
const made = (text: string, status = 200, contentKey?: string): Rendered => ({
  ...(contentKey === undefined ? {} : { contentKey }),
  build: () => answer(text, status),
})
const long = JSON.stringify('Long enough to be worth it. '.repeat(100))

describe('Answer', () => {
  it('is compressed into what it was', async () => {
    const given = answer(long)
    expect(brotliDecompressSync(await given.bytes('br', compressions)).toString()).toBe(long)
    expect(gunzipSync(await given.bytes('gzip', compressions)).toString()).toBe(long)
  })

  it('can be had plain again after it was compressed', async () => {
    const given = answer(long)
    await given.bytes('br', compressions)
    expect(given.ready('identity')).toBeUndefined()
    expect((await given.bytes('identity', compressions)).toString()).toBe(long)
    expect(given.ready('identity')?.toString()).toBe(long)
  })

  it('is held plain no longer than until it is compressed where it is large', async () => {
    const text = 'a line of a map\n'.repeat(40_000)
    const given = answer(text)
    let held = given.cachedBytes
    given.watch((difference) => (held += difference))
    given.improve('identity', compressions)
    given.improve('identity', compressions)
    await expect.poll(() => given.ready('identity')).toBeUndefined()
    expect(given.cachedBytes).toBeLessThan(text.length / 100)
    expect((await given.bytes('identity', compressions)).toString()).toBe(text)
    expect(given.ready('identity')).toBeUndefined()
    expect(held).toBe(given.cachedBytes)
  })

  it('is compressed once, however many ask at the same time', async () => {
    const given = answer(long)
    const [first, second] = await Promise.all([given.bytes('br', compressions), given.bytes('br', compressions)])
    expect(second).toBe(first)
    expect(given.ready('br')).toBe(first)
  })

  it.each(['br', 'gzip'] as const)(
    'is compressed better when it is asked for again five seconds later: %s',
    async (encoding) => {
      // Text that repays the effort.
      const text = JSON.stringify(Array.from({ length: 2_000 }, (_, i) => `entry ${(i * 7_919) % 1_009} of ${i % 97}`))
      const given = answer(text)
      let held = given.cachedBytes
      given.watch((difference) => (held += difference))
      const hasty = await given.bytes(encoding, compressions)
      const later = () => Date.now() + 5_000
      given.improve(encoding, compressions)
      await compressions.inTurn(() => Promise.resolve())
      expect(given.ready(encoding)).toBe(hasty)
      given.improve(encoding, compressions, later)
      given.improve(encoding, compressions, later)
      await expect.poll(() => given.ready(encoding)?.length).toBeLessThan(hasty.length)
      const better = given.ready(encoding) as Buffer
      expect((encoding === 'br' ? brotliDecompressSync : gunzipSync)(better).toString()).toBe(text)
      expect(held).toBe(given.cachedBytes)
      expect(given.headFor(encoding, better)).toContain(`\r\ncontent-length: ${better.length}\r\n`)
      // Once is enough.
      given.improve(encoding, compressions, later)
      await compressions.inTurn(() => Promise.resolve())
      expect(given.ready(encoding)).toBe(better)
    },
  )

  it('holds no more memory than it weighs', async () => {
    const given = answer(long)
    for (const encoding of ['br', 'gzip', 'identity'] as const) {
      const bytes = await given.bytes(encoding, compressions)
      expect(bytes.buffer.byteLength).toBe(bytes.length)
    }
  })

  it('says the same in both forms of its head', () => {
    const given = new CachedResponse(200, json, Buffer.from(long), { 'cache-control': 'no-store', 'x-more': '1' })
    const bytes = given.ready('identity') as Buffer
    const lines = given.headFor('identity', bytes).split('\r\n')
    expect(lines[0]).toBe('HTTP/1.1 200 OK')
    const pairs = lines.slice(1, -1).flatMap((line) => line.split(': '))
    expect(pairs).toEqual([...given.headersFor('identity'), 'content-length', String(bytes.length)])
    expect(pairs).toContain('no-store')
    expect(given.unchangedHeadFor('identity')).not.toMatch(/content-type|content-length/)
  })

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['br;q=0.5', 'br'],
    ['br;q=0.0, gzip;q=0', 'identity'],
    ['deflate', 'identity'],
    [undefined, 'identity'],
  ])('goes out for %j as %s', (header, encoding) => {
    expect(answer(long).encodingFor(header)).toBe(encoding)
  })

  it('is not compressed when it is small or compressed already', () => {
    expect(answer('"small"').encodingFor('br')).toBe('identity')
    expect(new CachedResponse(200, 'font/woff2', Buffer.alloc(5_000)).encodingFor('br')).toBe('identity')
  })

  it('has a tag that tells its content', () => {
    expect(answer('1').etag).toBe(answer('1').etag)
    expect(answer('1').etag).not.toBe(answer('2').etag)
  })
})

describe('Answers', () => {
  const always = { version: 1, until: Infinity }

  it('computes once for many who ask at the same time, and keeps it', async () => {
    const answers = new ResponseCache(1_000_000)
    let computed = 0
    const make = async (): Promise<Rendered> => {
      computed += 1
      await new Promise((wake) => setTimeout(wake, 5))
      return made('1')
    }
    const given = await Promise.all(Array.from({ length: 20 }, () => answers.get('k', 0, () => always, make)))
    expect(new Set(given).size).toBe(1)
    expect(await answers.get('k', 0, () => always, make)).toBe(given[0])
    expect(computed).toBe(1)
  })

  it('drops what another version or a later time has made untrue', async () => {
    const answers = new ResponseCache(1_000_000)
    await answers.get(
      'k',
      0,
      () => ({ version: 1, until: 100 }),
      () => Promise.resolve(made('1')),
    )
    expect(answers.peek('k', 1, 99)).toBeDefined()
    expect(answers.peek('k', 1, 100)).toBeUndefined()
    await answers.get(
      'k',
      0,
      () => ({ version: 1, until: 100 }),
      () => Promise.resolve(made('1')),
    )
    expect(answers.peek('k', 2, 0)).toBeUndefined()
  })

  it('gives nothing that was made later than now, by a clock that was ahead', async () => {
    const answers = new ResponseCache(1_000_000)
    await answers.get(
      'k',
      100,
      () => always,
      () => Promise.resolve(made('of tomorrow')),
    )
    expect(answers.peek('k', 1, 99)).toBeUndefined()
    expect(answers.peek('k', 1, 100)).toBeDefined()
  })

  it('does not keep an answer during whose making the catalogue changed', async () => {
    const answers = new ResponseCache(1_000_000)
    let version = 1
    await answers.get(
      'k',
      0,
      () => ({ version, until: Infinity }),
      () => {
        version = 2
        return Promise.resolve(made('made of both'))
      },
    )
    expect(answers.peek('k', 1, 0)).toBeUndefined()
    expect(answers.peek('k', 2, 0)).toBeUndefined()
  })

  it('does not share one computation between two versions', async () => {
    const answers = new ResponseCache(1_000_000)
    let finishFirst = (): void => {}
    let version = 1
    const freshness = () => ({ version, until: Infinity })
    const first = answers.get('k', 0, freshness, async () => {
      await new Promise<void>((resolve) => (finishFirst = resolve))
      return made('old')
    })
    version = 2
    const second = await answers.get('k', 0, freshness, () => Promise.resolve(made('new')))
    finishFirst()
    await first
    expect(second.ready('identity')?.toString()).toBe('new')
    expect(answers.peek('k', 2, 0)).toBe(second)
  })

  it('keeps no failure', async () => {
    const answers = new ResponseCache(1_000_000)
    await answers.get(
      'k',
      0,
      () => always,
      () => Promise.resolve(made('gone', 404)),
    )
    expect(answers.peek('k', 1, 0)).toBeUndefined()
    await expect(
      answers.get(
        'k',
        0,
        () => always,
        () => Promise.reject(new Error('no')),
      ),
    ).rejects.toThrow('no')
    expect(
      (
        await answers.get(
          'k',
          0,
          () => always,
          () => Promise.resolve(made('yes')),
        )
      ).status,
    ).toBe(200)
  })

  it('gives the same answer on after a write that did not change it, and builds nothing', async () => {
    const answers = new ResponseCache(1_000_000)
    const request = (version: number, text: string, contentKey?: string) =>
      answers.get(
        'k',
        0,
        () => ({ version, until: Infinity }),
        () => Promise.resolve(made(text, 200, contentKey)),
      )
    const first = await request(1, long, 'a')
    await first.bytes('br', compressions)
    expect(await request(2, 'is not looked at', 'a')).toBe(first)
    expect(answers.peek('k', 2, 0)).toBe(first)
    expect(await request(3, `${long} and more`, 'b')).not.toBe(first)
    const unstamped = await request(4, long)
    expect(await request(5, long)).toBe(unstamped)
    expect(await request(6, `${long} and more`)).not.toBe(unstamped)
  })

  it('lifts an answer to the newest version while nothing touches its scope, without computing', async () => {
    const answers = new ResponseCache(1_000_000)
    const requested: number[] = []
    let touchedAt = 4
    const scope = {
      isTouchedSince(version: number): boolean {
        requested.push(version)
        return version < touchedAt
      },
    }
    const first = await answers.get(
      'k',
      0,
      () => ({ version: 4, until: 100 }),
      () => Promise.resolve({ ...made('1'), scope }),
    )
    expect(answers.peek('k', 5, 0)).toBe(first)
    expect(answers.peek('k', 5, 0)).toBe(first)
    expect(answers.peek('k', 8, 0)).toBe(first)
    // Each version once; and no scope holds time up.
    expect(requested).toEqual([4, 5])
    expect(answers.peek('k', 8, 100)).toBeUndefined()
    touchedAt = 9
    expect(answers.peek('k', 9, 0)).toBeUndefined()
    // An answer that was touched once is not reused, not even for its own version.
    touchedAt = 0
    expect(answers.peek('k', 10, 0)).toBeUndefined()
  })

  it('weighs what is held: compressed answers leave room for more', async () => {
    const answers = new ResponseCache(20_000)
    for (let i = 0; i < 20; i += 1) {
      const given = await answers.get(
        `k${i}`,
        0,
        () => always,
        () => Promise.resolve(made(long)),
      )
      await given.bytes('br', compressions)
      expect(given.cachedBytes).toBeLessThan(200)
    }
    const cached = Array.from({ length: 20 }, (_, i) => answers.peek(`k${i}`, 1, 0)).filter(
      (each) => each !== undefined,
    )
    expect(cached.length).toBeGreaterThan(6)
  })

  it('stays within its bytes; what was asked last stays', async () => {
    const answers = new ResponseCache(6_500)
    const make = (): Promise<Rendered> => Promise.resolve(made('x'.repeat(1_000)))
    for (const key of ['a', 'b', 'c']) await answers.get(key, 0, () => always, make)
    answers.peek('a', 1, 1_000)
    for (const key of ['d', 'e']) await answers.get(key, 1_000, () => always, make)
    const cached = ['a', 'b', 'c', 'd', 'e'].filter((key) => answers.peek(key, 1, 1_000) !== undefined)
    expect(cached).toEqual(['a', 'd', 'e'])
  })

  it('moves an answer in the order once a second at most, also when the clock is set back', async () => {
    const answers = new ResponseCache(5_000)
    const make = (): Promise<Rendered> => Promise.resolve(made('x'.repeat(1_000)))
    const leaves = async (at: number): Promise<boolean> => {
      answers.clear()
      for (const key of ['a', 'b']) await answers.get(key, 10_000, () => always, make)
      await answers.get('a', at, () => always, make)
      await answers.get('c', 10_000, () => always, make)
      return answers.peek('a', 1, 12_000) === undefined
    }
    expect(await leaves(10_999)).toBe(true)
    expect(await leaves(11_000)).toBe(false)
    expect(await leaves(9_000)).toBe(false)
  })
})
