import { Readable } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { parseBody, readBody } from './body.ts'

function requestWith(
  chunks: (string | Buffer)[],
  { method = 'POST', length }: { method?: string; length?: number } = {},
) {
  const headers = length === undefined ? {} : { 'content-length': String(length) }
  return Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
    method,
    headers,
  }) as unknown as IncomingMessage
}

describe('reading', () => {
  test('takes a body as large as the limit', async () => {
    expect((await readBody(requestWith(['ab', 'cd']), 4)).toString()).toBe('abcd')
    expect(await readBody(requestWith([]))).toHaveLength(0)
  })

  test.each([
    ['that arrives in parts', requestWith([Buffer.alloc(16 * 1024), 'x'])],
    ['that says its length before', requestWith([], { length: 16 * 1024 + 1 })],
    ['that says a smaller length', requestWith([Buffer.alloc(20_000)], { length: 10 })],
  ])('refuses a larger one %s', async (_how, request) => {
    await expect(readBody(request, 16 * 1024)).rejects.toMatchObject({
      status: 413,
      code: 'body.too_large',
      message: 'The request is larger than 16 KiB. Send less at once.',
    })
  })

  test('takes at most 1 MiB where nothing else is said', async () => {
    expect(await readBody(requestWith([Buffer.alloc(1024 * 1024)]))).toHaveLength(1024 * 1024)
    await expect(readBody(requestWith([Buffer.alloc(1024 * 1024 + 1)]))).rejects.toThrow('larger than 1 MiB')
  })

  test('looks at no body of a GET', async () => {
    expect(await readBody(requestWith(['ab'], { method: 'GET' }), 1)).toHaveLength(0)
  })
})

describe('as JSON', () => {
  test('an object is its members, and nothing is an empty object', () => {
    expect(parseBody(Buffer.from('{"a":1}'), 'application/json')).toEqual({ a: 1 })
    expect(parseBody(Buffer.from('{"a":1}'), 'Application/JSON; charset=utf-8')).toEqual({ a: 1 })
    expect(parseBody(Buffer.alloc(0), undefined)).toEqual({})
  })

  test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded'])('the type %s is refused', (type) => {
    expect(() => parseBody(Buffer.from('{}'), type)).toThrow(
      expect.objectContaining({ status: 415, code: 'body.type' }),
    )
  })

  test.each(['[]', 'null', '1', '{', '"\u00e4'])('%s is refused', (text) => {
    expect(() => parseBody(Buffer.from(text), 'application/json')).toThrow(
      expect.objectContaining({ status: 400, code: 'body.json' }),
    )
  })

  test('bytes that are no UTF-8 are refused', () => {
    expect(() => parseBody(Buffer.from('{"a":"\xff"}', 'latin1'), 'application/json')).toThrow('not a JSON object')
  })
})

test('a raw body is nothing but its bytes', () => {
  expect(parseBody(Buffer.from('{"a":'), 'text/plain', 'raw')).toEqual({})
})
