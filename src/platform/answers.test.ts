import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Answer, Answers, type Made } from './answers.ts'

const json = 'application/json; charset=utf-8'
const answer = (text: string, status = 200): Answer => new Answer(status, json, Buffer.from(text))
const made = (text: string, status = 200, stamp?: string): Made => ({
  ...(stamp === undefined ? {} : { stamp }),
  build: () => answer(text, status),
})
const long = JSON.stringify('Long enough to be worth it. '.repeat(100))

describe('Answer', () => {
  it('is compressed into what it was', async () => {
    const given = answer(long)
    expect(brotliDecompressSync(await given.bytes('br')).toString()).toBe(long)
    expect(gunzipSync(await given.bytes('gzip')).toString()).toBe(long)
  })

  it('can be had plain again after it was compressed', async () => {
    const given = answer(long)
    await given.bytes('br')
    expect(given.ready('identity')).toBeUndefined()
    expect((await given.bytes('identity')).toString()).toBe(long)
    expect(given.ready('identity')?.toString()).toBe(long)
  })

  it('is compressed once, however many ask at the same time', async () => {
    const given = answer(long)
    const [first, second] = await Promise.all([given.bytes('br'), given.bytes('br')])
    expect(second).toBe(first)
    expect(given.ready('br')).toBe(first)
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
    expect(new Answer(200, 'font/woff2', Buffer.alloc(5_000)).encodingFor('br')).toBe('identity')
  })

  it('has a tag that tells its content', () => {
    expect(answer('1').etag).toBe(answer('1').etag)
    expect(answer('1').etag).not.toBe(answer('2').etag)
  })
})

describe('Answers', () => {
  const always = { version: 1, until: Infinity }

  it('computes once for many who ask at the same time, and keeps it', async () => {
    const answers = new Answers(1_000_000)
    let computed = 0
    const make = async (): Promise<Made> => {
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
    const answers = new Answers(1_000_000)
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

  it('does not keep an answer during whose making the catalogue changed', async () => {
    const answers = new Answers(1_000_000)
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
    const answers = new Answers(1_000_000)
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
    const answers = new Answers(1_000_000)
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
    const answers = new Answers(1_000_000)
    const ask = (version: number, text: string, stamp?: string) =>
      answers.get(
        'k',
        0,
        () => ({ version, until: Infinity }),
        () => Promise.resolve(made(text, 200, stamp)),
      )
    const first = await ask(1, long, 'a')
    await first.bytes('br')
    expect(await ask(2, 'is not looked at', 'a')).toBe(first)
    expect(answers.peek('k', 2, 0)).toBe(first)
    expect(await ask(3, long, 'b')).not.toBe(first)
    const unstamped = await ask(4, long)
    expect(await ask(5, long)).not.toBe(unstamped)
  })

  it('weighs what is held: compressed answers leave room for more', async () => {
    const answers = new Answers(20_000)
    for (let i = 0; i < 20; i += 1) {
      const given = await answers.get(
        `k${i}`,
        0,
        () => always,
        () => Promise.resolve(made(long)),
      )
      await given.bytes('br')
      expect(given.heldBytes).toBeLessThan(200)
    }
    const kept = Array.from({ length: 20 }, (_, i) => answers.peek(`k${i}`, 1, 0)).filter((each) => each !== undefined)
    expect(kept.length).toBeGreaterThan(6)
  })

  it('stays within its bytes; what was asked last stays', async () => {
    const answers = new Answers(5_000)
    const make = (): Promise<Made> => Promise.resolve(made('x'.repeat(1_000)))
    for (const key of ['a', 'b', 'c']) await answers.get(key, 0, () => always, make)
    answers.peek('a', 1, 0)
    for (const key of ['d', 'e']) await answers.get(key, 0, () => always, make)
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => answers.peek(key, 1, 0) !== undefined)).toEqual(['a', 'd', 'e'])
  })
})
