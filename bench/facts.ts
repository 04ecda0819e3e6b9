import { Random } from './random.ts'
import type { Vocabulary } from './words.ts'

/** The facts of the work of an entry. */
export interface Facts {
  creators: string[]
  language: string[]
  year: string | null
  series: string | null
  seriesNumber: number | null
  tags: string[]
  linkFormat: string | null
}

/** Languages by the script of the title. */
const languages: Record<keyof Vocabulary, readonly string[]> = {
  latin: ['en', 'en-GB', 'la', 'nl', 'it'],
  accented: ['fr', 'es', 'de', 'pt', 'pt-BR', 'sv', 'da', 'pl', 'cs', 'hu', 'tr', 'vi'],
  cyrillic: ['ru', 'uk', 'bg'],
  chinese: ['zh', 'zh-Hant', 'zh-Hans'],
  japanese: ['ja'],
  korean: ['ko'],
}
const formats = ['EPUB', 'PDF', 'MP3', 'TXT', 'DjVu', 'FLAC', 'MP4']
const [creatorCount, seriesCount, tagCount] = [20_000, 5_000, 3_000]
const [firstYear, lastYear] = [1500, 2020]

/** Gives facts to one item after the other, always the same ones: of creators, series and tags few have many items, most have few. */
export class FactSource {
  readonly #random = new Random(24)
  readonly #creators: readonly string[]
  readonly #series: readonly string[]
  readonly #tags: readonly string[]

  constructor(vocabulary: Vocabulary) {
    const names = [...vocabulary.latin.slice(200, 4_000), ...vocabulary.cyrillic.slice(40, 800)].map(capital)
    const some = (count: number, words: readonly string[]) =>
      Array.from(
        new Set(Array.from({ length: count }, () => `${this.#random.pick(words)} ${this.#random.pick(words)}`)),
      )
    this.#creators = some(creatorCount, names)
    this.#series = some(seriesCount, vocabulary.latin.slice(0, 2_000)).map(capital)
    this.#tags = some(tagCount, vocabulary.latin.slice(0, 1_000)).map(capital)
  }

  next(script: keyof Vocabulary): Facts {
    const random = this.#random
    const some = (from: readonly string[], most: number) =>
      Array.from(new Set(Array.from({ length: random.integer(most + 1) }, () => random.pickByRank(from))))
    const isOfSeries = random.unit() < 0.2
    return {
      creators:
        random.unit() < 0.6 ? [random.pickByRank(this.#creators), ...some(this.#creators, 1)].filter(isFirst) : [],
      language: random.unit() < 0.9 ? [random.pickByRank(languages[script])] : [],
      // Most works are of the last two centuries.
      year: random.unit() < 0.7 ? String(lastYear - Math.floor(random.unit() ** 2 * (lastYear - firstYear))) : null,
      series: isOfSeries ? random.pickByRank(this.#series) : null,
      seriesNumber: isOfSeries ? 1 + random.integer(30) : null,
      tags: some(this.#tags, 4),
      linkFormat: random.unit() < 0.7 ? random.pickByRank(formats) : null,
    }
  }
}

function isFirst<T>(value: T, place: number, all: readonly T[]): boolean {
  return all.indexOf(value) === place
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
