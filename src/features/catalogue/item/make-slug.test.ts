import { describe, expect, it } from 'vitest'
import { freeSlug, makeSlug } from './make-slug.ts'

describe('makeSlug', () => {
  it.each([
    ["Alice's Adventures — Carroll", 'alices-adventures-carroll'],
    ['Ünïcødé & Straße', 'unicode-strasse'],
    ['Война и мир', 'voyna-i-mir'],
    ['  --Doctor  Who?!  ', 'doctor-who'],
    ['1984', '1984'],
  ])('makes %j into %j', (name, slug) => {
    expect(makeSlug(name)).toBe(slug)
  })

  it.each([
    '紅樓夢',
    '源氏物語',
    '탈출기',
    'ألف ليلة وليلة',
    'गोदान',
    '🎉',
    '…',
    '「」',
    '·',
    '\u{e000}',
    'x'.repeat(300),
    'word '.repeat(60),
    '夢'.repeat(300),
  ])('makes a whole slug of %j', (name) => {
    const slug = makeSlug(name)
    expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(slug.length).toBeLessThanOrEqual(100)
    expect(makeSlug(name)).toBe(slug)
  })

  it('cuts a long name between two words', () => {
    expect(makeSlug(`${'word '.repeat(19)}longest ending`)).toBe('word-'.repeat(19).slice(0, -1))
  })

  it('keeps names apart that hold no letter at all', () => {
    expect(makeSlug('…')).not.toBe(makeSlug('—'))
  })
})

describe('freeSlug', () => {
  it('takes the first number that is free', () => {
    const taken = new Set(['poems', 'poems-2', 'poems-4'])
    expect(freeSlug('poems', (slug) => taken.has(slug))).toBe('poems-3')
    expect(freeSlug('prose', (slug) => taken.has(slug))).toBe('prose')
  })

  it('does not count from the start again for each of many equal names', () => {
    const taken = new Set(['poems', 'poems-4'])
    const numbers = new Map<string, number>()
    let probes = 0
    const slugs = Array.from({ length: 5_000 }, () => {
      const slug = freeSlug('poems', (one) => (probes += 1) > 0 && taken.has(one), numbers)
      taken.add(slug)
      return slug
    })
    expect(slugs.slice(0, 3)).toEqual(['poems-2', 'poems-3', 'poems-5'])
    expect(new Set(slugs).size).toBe(5_000)
    expect(probes).toBeLessThan(3 * 5_000)
  })
})
