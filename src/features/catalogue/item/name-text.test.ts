import { describe, expect, test } from 'vitest'
import { foldText, likeAnywhere, partsOfText, wordsOf } from './name-text.ts'

const names = [
  'The Picture of Dorian Gray',
  'Łódź — źródło książka',
  'ÉTUDES, œuvre & Straße; Ångström',
  'İstanbul’da bir gün',
  'Война и мир: ёлка',
  'Ὀδύσσεια τοῦ Ὁμήρου Ὀδυσσεύς',
  '紅樓夢 第1回',
  '源氏物語・若紫',
  'ラーメン ﾗｰﾒﾝ ガラス',
  '춘향전 이야기',
  'ألف ليلة وليلة',
  'رِسَالَةُ الغُفْرَان',
  'गोदान प्रेमचन्द',
  'สามก๊ก ฉบับพระยา',
  'שִׁיר הַשִּׁירִים',
  '100% of_it\\all “quoted” №42',
  'a bb ccc 𠮷野家 😀 emoji',
]

describe('folding', () => {
  test.each([
    ['Café', 'cafe'],
    ['CAFE\u0301', 'cafe'],
    ['Łódź', 'lodz'],
    ['Straße', 'strasse'],
    ['Œuvre', 'oeuvre'],
    ['Đường phố', 'duong pho'],
    ['İSTANBUL ılık', 'istanbul ilik'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['Ёлка', 'елка'],
    ['ﾗｰﾒﾝ', 'ラーメン'],
    ['Ｗｉｄｅ　Ｔｅｘｔ', 'wide text'],
    ['  two \t spaces\u00a0here ', 'two spaces here'],
    ['soft\u00adhyphen\u200b', 'softhyphen'],
    ['le\u{e0020}aked \u{e0061}ta\u180epe\u3164s', 'leaked tapes'],
    ['It’s “so” – so', `it's "so" - so`],
    ['كِتَاب', 'كتاب'],
    ['שִׁיר', 'שיר'],
  ])('%s becomes %s', (text, folded) => {
    expect(foldText(text)).toBe(folded)
  })

  test('keeps marks that make another letter', () => {
    expect(foldText('ガラス')).not.toBe(foldText('カラス'))
    expect(foldText('हिंदी')).not.toBe(foldText('हद'))
  })

  test.each(names)('of %s is settled: folding again changes nothing', (name) => {
    expect(foldText(foldText(name))).toBe(foldText(name))
  })

  test.each(names)('finds %s in any case, composed or decomposed', (name) => {
    const folded = foldText(name)
    expect(foldText(name.toUpperCase())).toBe(folded)
    expect(foldText(name.toLowerCase())).toBe(folded)
    expect(foldText(name.normalize('NFD'))).toBe(folded)
  })
})

describe('the parts of a name', () => {
  test.each(names)('%s are all in the name itself', (name) => {
    const folded = foldText(name)
    const parts = partsOfText(folded)
    expect(parts.length).toBeGreaterThan(0)
    for (const part of parts) expect(folded).toContain(part)
  })

  test.each([
    ['shakespere', 'shakespeare'],
    ['gadren pary', 'garden party'],
    ['picutre', 'picture'],
    ['紅樓孟', '紅樓夢'],
    ['прступление', 'преступление'],
  ])('of %s lead to %s', (misspelt, name) => {
    expect(partsOfText(misspelt).some((part) => name.includes(part))).toBe(true)
  })
})

describe('words', () => {
  test('of a question come folded, each once', () => {
    expect(wordsOf('  Été  ete NOIR ')).toEqual(['ete', 'noir'])
    expect(wordsOf(' \u200b ')).toEqual([])
  })

  test('take wildcards as ordinary characters', () => {
    expect(likeAnywhere(String.raw`100%_\ `)).toBe(String.raw`%100\%\_\\ %`)
  })
})
