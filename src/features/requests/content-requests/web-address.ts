import { foldText } from '../../catalogue/item/name-text.ts'
import { lookingLike } from '../../catalogue/publishing/look-alikes.ts'

/** The common ends of addresses that are no words. */
const endings = (
  'com net org info biz xyz icu lol xxx onion ' +
  'ae ai br ca cc ch cn cz dk ee fi gg gl gr hk hr hu io ir jp kr kz ly mx nl nz pl pt ro rs ru sg sk sx tr tv tw ua uk vc vn ws ' +
  'рф бел укр ком'
).split(' ')
/** Ends that are words too: with a capital letter after the full stop, they begin a sentence. */
const wordEndings = (
  'online site website web top club shop store app dev link click live pro blog cloud space fun art vip cam tube video ' +
  'stream download porn sex adult сайт онлайн ' +
  'at au be by co de es eu fr id il in is it me my no se so su to us za'
).split(' ')

const inWord = String.raw`[\p{L}\p{N}\p{M}]`
/**
 * Matches before the full stop of an address. Only the last character is looked at, so that the match takes linear
 * time.
 */
const afterLabel = String.raw`(?<=[\p{L}\p{N}\p{M}-])`

const disguised = (word: string): string => Array.from(word, lookingLike).join('')
const signsAndDigits = /[\d!|$€+]/gu
/** Two-letter endings are disguised by letters only: "9.99" is no "gg", "3.50" no "so". */
const disguisedEnd = (ending: string): string =>
  ending.length > 2 ? disguised(ending) : disguised(ending).replace(signsAndDigits, '')
const oneOf = (ends: string[]): string =>
  String.raw`(?!${signsAndDigits.source}+(?!${inWord}))(?:${ends.map(disguisedEnd).join('|')})(?!${inWord})`

const webAddress = new RegExp(
  [
    String.raw`[a-z\d]:\/\/`,
    String.raw`(?<!${inWord})hxxps?:`,
    String.raw`(?<!${inWord})${disguised('www')}\.[\p{L}\p{N}]`,
    String.raw`${afterLabel}@[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*\.\p{L}`,
    // With a path, whatever it ends in: "t.me/somebody".
    String.raw`${afterLabel}\.\p{L}{2,}\/[^\s]`,
    String.raw`${afterLabel}\.xn--[a-z\d]`,
    String.raw`(?<=[\p{L}\p{N}\p{M}-]\s?)\.${oneOf(endings)}`,
    String.raw`(?<=${inWord}\s)dot\s${oneOf(endings)}`,
    String.raw`(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?!\.?\d)`,
  ].join('|'),
  'u',
)

const wordAddress = new RegExp(`${afterLabel}\\.${oneOf(wordEndings)}`, 'u')

/** Full stops of other scripts and widths, and what stands for one. */
const otherStops = /[。｡．․•]/gu
/** A full stop in brackets, also spelled out. */
const bracketedStop = /\s?[[({<〔【]\s?(?:\.|dot|punkt|ponto)\s?[\])}>〕】]\s?/gu
/** Capitals throughout begin no sentence. */
const sentenceStop = /\.(?=\p{Lu}\p{Ll})/gu

/**
 * Whether a text holds a web or email address in one of its usual forms, as readers take it: also with look-alikes, with
 * bracketed full stops, and with "dot" before an ending that is no word. It takes time in proportion to the text.
 */
export function holdsWebAddress(text: string): boolean {
  const stopped = text.replace(otherStops, '.')
  return webAddress.test(prepared(stopped)) || wordAddress.test(prepared(stopped.replace(sentenceStop, '. ')))
}

function prepared(text: string): string {
  return foldText(text).replace(bracketedStop, '.')
}
