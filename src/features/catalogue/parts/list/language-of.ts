/**
 * The language a name is most likely written in, as far as its script tells; undefined for Latin script, which is the
 * page's own as good as any. It chooses the right shapes of Han characters and the right voice of a screen reader.
 */
export function languageOf(name: string): string | undefined {
  return scripts.find(([pattern]) => pattern.test(name))?.[1]
}

/** Latin letters with and without accents, punctuation: nearly every name. */
const plain = /^[\u0000-\u024f\u2000-\u206f]*$/

/** Whether a name is in Latin script alone, which runs to the right. */
export function isPlain(name: string): boolean {
  return plain.test(name)
}

const scripts: [RegExp, string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Thai}/u, 'th'],
]
