import { describe, expect, it } from 'vitest'
import { base64Chunk, encodePayload, withInserted } from './encoding.server.ts'
import { decodePayload } from './encoding.ts'

describe('the encoded payload', () => {
  it.each(['三國演義 — 羅貫中', 'Les Misérables', 'हिन्दी', '😀', '"\\/\u2028', ''])('survives %j', (name) => {
    expect(decodePayload(encodePayload({ data: [{ name }] }))).toEqual({ data: [{ name }] })
  })

  it('has one further character in third place', () => {
    const encoded = encodePayload({ a: 1 })
    const plain = Buffer.from('{"a":1}').toString('base64')
    expect(encoded.length).toBe(plain.length + 1)
    expect(encoded.slice(0, 2) + encoded.slice(3)).toBe(plain)
  })

  it('can be put together from pieces of any length', () => {
    const names = ['', 'a', 'ab', 'abc', '三', 'é']
    const chunks = names.map((name) => base64Chunk(JSON.stringify({ name })))
    for (const chunk of chunks) expect(chunk).not.toContain('=')
    const text = base64Chunk('{"data":[') + chunks.join(base64Chunk(',')) + Buffer.from(']}').toString('base64')
    expect(decodePayload(withInserted(text))).toEqual({ data: names.map((name) => ({ name })) })
  })

  it.each(['', 'ab', '%%%%', 'eyDJ'])('%j is refused as no payload', (text) => {
    expect(() => decodePayload(text)).toThrow()
  })
})
