import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../../../../tests/harness/cpu-time.ts'
import { prohibitionInWords, ProhibitedTerms, remedyOf } from './prohibited-terms.ts'

const refusing = (...refused: string[]) => new ProhibitedTerms({ refused, minority: [], sexual: [], alone: [] })

const terms = refusing('leaked', 'hidden camera', 'xxx', 'leaks')

it.each([
  'Leaked',
  'LEÁKED tapes',
  'The (leaked) tape',
  'a hidden—camera',
  'le\u{e0020}aked',
  'l\u034fe\u180ea\u2066k\u{e0061}ed',
  'hidden\u3164camera',
  'leaked\u1160tape',
])('finds a term in %j', (text) => {
  expect(terms.find(text)?.terms[0]).toMatch(/^(leaked|hidden camera)$/)
})

it.each([
  'l e a k e d',
  'l.e.a.k.e.d',
  'A l-e-a-k-e-d file',
  'lea.ked',
  'l_e_aked tapes',
  '1eaked',
  'LEAK3D!',
  'le@ked',
  'l|e|a|k|e|d',
  'lеаkеd',
  'ӏеаκеԁ',
  'ʟᴇᴀᴋᴇᴅ',
  '𝓵𝓮𝓪𝓴𝓮𝓭',
  '1 3 4 к 3 d',
])('finds a disguised term in %j', (text) => {
  expect(terms.find(text)).toEqual({ rule: 'term', terms: ['leaked'] })
})

it.each([
  ['hiddencamera', 'hidden camera'],
  ['h i d d e n  c a m e r a', 'hidden camera'],
  ['hidden.c4mera', 'hidden camera'],
  ['leak$', 'leaks'],
  ['ХХХ', 'xxx'],
  ['x x x', 'xxx'],
])('finds in %j the term %j', (text, term) => {
  expect(terms.find(text)?.terms).toEqual([term])
})

it.each([
  'Books X-XX',
  'Volumes XX–X',
  'Louis XXXI',
  'J. R. R. Tolkien',
  '1984',
  'U.S.S.R. 1917-1991',
  'Bleak House',
  'Lea Kedward',
  'a leak edited',
  'A. E. L. Eaked-Smith',
  'Пароход',
  'Хроника',
])('finds none in %j, which only resembles one', (text) => {
  expect(terms.find(text)).toBeUndefined()
})

it.each(['Bleakedley', 'hidden cameras', 'camera hidden', 'le aked'])('finds none in %j', (text) => {
  expect(terms.find(text)).toBeUndefined()
})

it.each([
  ['The L3aked tapes', 'L3aked'],
  ['See (ｌｅａｋｅｄ)\n it', '(ｌｅａｋｅｄ)'],
  ['\u200b a h i d d e n  C A M E R A b', 'h i d d e n C A M E R A'],
])('names in %j what is written there: %j', (text, written) => {
  expect(terms.findWritten(text)).toBe(written)
})

it('names nothing where it finds nothing', () => {
  expect(terms.findWritten('Bleak House')).toBeUndefined()
})

it.each(['㌖', '㍿', 'ﬃ', 'a', '!', '$+', 's$+', '1.', '. ', 'a@', 'a-'])(
  'looks %j, two thousand times, through in no time',
  (text) => {
    const many = refusing('leaked', 'hidden camera', 'xxx', 'leaks', 'illicit', 'killing', 'child', 'moss tusk')
    for (const written of [text.repeat(2_000), `A title ${text.repeat(110)}`]) {
      expect(cpuMsOf(() => expect(many.find(written)).toBeUndefined())).toBeLessThan(300)
    }
  },
)

it.each(['7175', 'No. 7175', '7 1 7 5', '60065 things'])('takes the number in %j for no disguise', (text) => {
  expect(refusing('tits', 'goobs').find(text)).toBeUndefined()
})

it('finds a term behind a number that resembles one', () => {
  expect(refusing('tits').find('7175 t1ts')?.terms).toEqual(['tits'])
})

describe('A pair of a name and its category', () => {
  const pairs = new ProhibitedTerms({
    refused: ['smuggled'],
    minority: ['novice', 'young page'],
    sexual: ['gaudy', 'bare'],
    alone: ['novice', 'gaudy'],
  })

  it.each([
    ['Gaudy summer', 'Novice Fiction', ['novice', 'gaudy']],
    ['The young page', 'B.a.r.e art', ['young page', 'bare']],
  ])('is found in %j of %j, with a word in each', (name, category, found) => {
    expect(pairs.findBetween(name, category)).toEqual({ rule: 'pair', terms: found })
    expect(pairs.findBetween(category, name)).toEqual({ rule: 'pair', terms: found })
  })

  it.each([
    ['A summer', 'Novice Fiction'],
    ['The young', 'page, bare'],
    ['A novice', 'Young page'],
    ['Gaudy', 'Bare'],
  ])('is not found in %j of %j', (name, category) => {
    expect(pairs.findBetween(name, category)).toBeUndefined()
  })
})

describe('A pair', () => {
  const pairs = new ProhibitedTerms({
    refused: ['smuggled'],
    minority: ['novice', 'novices', 'young page', 'child'],
    sexual: ['gaudy', 'bare'],
    alone: ['novice', 'novices', 'young page', 'gaudy', 'bare'],
  })

  it.each([
    ['A gaudy novice', ['novice', 'gaudy']],
    ['Novices, b.a.r.e', ['novices', 'bare']],
    ['The young page and the G4udy', ['young page', 'gaudy']],
    ['Bare child', ['child', 'bare']],
  ])('is found in %j', (text, found) => {
    expect(pairs.find(text)).toEqual({ rule: 'pair', terms: found })
    expect(pairs.findInCategory(text)).toEqual({ rule: 'pair', terms: found })
  })

  it.each(['Novice Fiction', 'The Bare and the Dead', 'Gaudy Night', 'A Gaudy, Bare Room', 'Child', 'The novice'])(
    'is not found in %j',
    (text) => {
      expect(pairs.find(text)).toBeUndefined()
      expect(pairs.findInCategory(text)).toBeUndefined()
    },
  )

  it.each([
    ['Novice', 'novice'],
    ['“NOVICES”', 'novices'],
    ['n o v i c e', 'novice'],
    ['Young  Page!', 'young page'],
    ['8are', 'bare'],
  ])('has in %j one word alone, which is no name of a category', (name, term) => {
    expect(pairs.find(name)).toBeUndefined()
    expect(pairs.findInCategory(name)).toEqual({ rule: 'alone', terms: [term] })
  })

  it('is told with both words, of what is written there too', () => {
    expect(pairs.findWritten('A GAUDY old N0vice')).toBe('N0vice … GAUDY')
    const found = pairs.findInCategory('Gaudy novices')
    expect(found && prohibitionInWords(found)).toBe("'novices' beside 'gaudy'")
    const alone = pairs.findInCategory('Bare')
    expect(alone && `${prohibitionInWords(alone)}. ${remedyOf(alone)}`).toBe(
      "nothing but 'bare'. Name the genre beside it, such as 'Fiction'.",
    )
  })

  it('yields to a refused term', () => {
    expect(pairs.find('Gaudy novice, smuggled')).toEqual({ rule: 'term', terms: ['smuggled'] })
  })
})
