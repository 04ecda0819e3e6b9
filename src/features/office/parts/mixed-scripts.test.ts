import { describe, expect, test } from 'vitest'
import { mixedScriptsOf } from './mixed-scripts.ts'

describe('a word of several scripts is told', () => {
  test.each([
    ['J\u0430ne Reader', ['Latin', 'Cyrillic']],
    ['Jane R\u0435ader', ['Latin', 'Cyrillic']],
    ['\u0410dmin', ['Cyrillic', 'Latin']],
    ['p\u03bful', ['Latin', 'Greek']],
    ['j\u0430ne@readers.example', ['Latin', 'Cyrillic']],
    ['jane@r\u0435aders.example', ['Latin', 'Cyrillic']],
    ['\u13aanna', ['Cherokee', 'Latin']],
    ['Анна\u05d0', ['Cyrillic', 'Hebrew']],
    // Gothic, which is in no list here.
    ['a\u{10330}', ['Latin', 'other']],
    ['\uac00\u3042', ['Hangul', 'Hiragana']],
  ])('%s', (text, scripts) => {
    expect(mixedScriptsOf(text)).toEqual(scripts)
  })
})

describe('an honest name or address has no mark', () => {
  test.each([
    'Jane Reader',
    "Łukasz O'Brien-Ünal 3rd",
    'Анна Каренина',
    'Anna Каренина',
    'Wang 小明',
    '田中ひろしテスト',
    'AKB村',
    '김철수',
    'محمد بن علي',
    'می\u200cخواهم',
    'δοκιμή@παράδειγμα.δοκιμή',
    'анна@readers.example',
    '用户@例子.广告',
    'राम्\u200dय',
    '👩\u200d🚀 Kim',
    'コーヒー',
    '',
  ])('%s', (text) => {
    expect(mixedScriptsOf(text)).toBeUndefined()
  })
})
