import { describe, expect, test } from 'vitest'
import { itemAddressesIn, namedBy, partsOfLine } from './typed-address.ts'

const [a, b] = ['https://library.example/western/alice', 'https://library.example/asian/hong-lou-meng']

describe('a line', () => {
  test('with several addresses has a part for each', () => {
    for (const between of [' ', ', ', ',', '; ', ' | ', '"', ') (', ' \u2022 ', ''])
      expect(partsOfLine(`${a}${between}${b}`, 2_000), JSON.stringify(between)).toEqual([a, b])
    expect(partsOfLine(`1. ${a} 2. ${b}`, 2_000)).toEqual([a, b])
  })

  test('keeps the words about an address, and drops what only surrounds it', () => {
    expect(partsOfLine(`See ${a}, the second picture`, 2_000)).toEqual([`See ${a}, the second picture`])
    expect(partsOfLine(`${a} the first ${b} the last`, 2_000)).toEqual([`${a} the first`, `${b} the last`])
    for (const typed of [`- <${a}>,`, `URL: ${a}`, `3) "${a}".`, `${a}\u200B`])
      expect(partsOfLine(typed, 2_000), typed).toEqual([a])
  })

  test('whose words are too long is its address alone', () => {
    expect(partsOfLine(`${a} ${'word '.repeat(500)}`, 2_000)).toEqual([a])
  })

  test('without an address is kept as it is, except for several slugs', () => {
    expect(partsOfLine('the second picture of the garden', 2_000)).toEqual(['the second picture of the garden'])
    expect(partsOfLine('hong-lou-meng, alice-in-wonderland', 2_000)).toEqual(['hong-lou-meng', 'alice-in-wonderland'])
    expect(partsOfLine('', 2_000)).toEqual([])
  })
})

test('of a text only addresses that have the form of an item are found, each once', () => {
  const text = `It is at ${a}. I wrote to https://elsewhere.example/about, and/or (${a}) and /asian/hong-lou-meng! map`
  expect(itemAddressesIn(text)).toEqual([a, '/asian/hong-lou-meng'])
  expect(itemAddressesIn('alice in wonderland')).toEqual([])
})

/** Characters of each class that the parser distinguishes, and of its patterns. */
const classes = [
  '>',
  '"',
  '.',
  '?',
  '/',
  '\\',
  ':',
  '%',
  '%2F',
  '-',
  '*',
  '_',
  '\u200B',
  ' ',
  ',',
  '(',
  '#',
  '&',
  '=',
  '&u=/',
  '?u=https://',
  'http:/',
  'https://',
  'ahttp://',
  'http://a.b/',
  'a.',
  'a/',
  '/a ',
  '1. ',
  'a: ',
  'a-',
  '../',
  '\u00E9',
  '\u{1F319}',
  'x',
  '/asian/x ',
  '\t',
  '\u3000',
  '\uD800',
]

test.each(classes)(
  'an address full of %j is read in time that grows with its length alone',
  (sign) => {
    const timeOf = (length: number): number => {
      const typed = [
        `a${sign.repeat(length / sign.length)}x`,
        `https://a.example/${sign.repeat(length / sign.length)}x y`,
      ]
      const begin = performance.now()
      for (const each of typed) {
        namedBy(each)
        partsOfLine(each, 2_000)
        itemAddressesIn(each)
      }
      return performance.now() - begin
    }
    timeOf(2_000)
    // Fifty times the longest address, on a machine that does much else: an expression that is quadratic in it needs minutes.
    expect(timeOf(100_000)).toBeLessThan(20_000)
  },
  60_000,
)
