import { isUuid } from '../../../platform/uuid.ts'
import { contentTypes } from '../item/content-type.ts'

/**
 * The addresses in a text that a person has typed or pasted, and what each names (docs/spec/notices.md#matching). Browser-safe.
 *
 * A notice may hold any text: every step here passes over it a bounded number of times.
 */

/** The target of an address: an item by its slug or its id, or a ticket of the gateway. */
export type Named = { slug: string } | { id: string } | { ticket: string }

/** The first part of the addresses of items: pages, and endpoints of the HTTP interface. */
const sections = new Set<string>([
  ...contentTypes,
  'asiancontent',
  'westerncontent',
  'vip-asiancontent',
  'vip-westerncontent',
])

/** Characters around an address and never in one of this site: white space, brackets, quotation marks, commas. */
const word = /[^\s\p{Cc},;<>()[\]{}"'`|«»‹›„“”‟‚‘’‛（）［］｛｝＜＞「」『』【】《》〈〉，；、。·]+/gu

/** A second address that was pasted to the end of the one before. The one in an address of a wrapper follows a sign. */
const pasted = /(?<=[\p{L}\p{N}\p{Cf}_-])(?=https?:\/\/)/giu

/** The scheme of an address with a host; people write it with one slash, too. */
const scheme = /^(?:[a-z][a-z0-9+.-]*:\/+|\/\/+)/i

/** How often an address within an address is looked into. */
const maxDepth = 2

/** A part of a text that reads as an address; `start` and `end` are places in the text. */
interface Word {
  start: number
  end: number
  text: string
}

/**
 * The parts of a line of a form, one for each address in it, as typed with the words about it; without words it is the
 * address alone, without list markers and quotation marks.
 * @param max in characters; of a longer part, the address alone
 * @returns the line where it holds none: it may name an item
 */
export function partsOfLine(line: string, max: number): string[] {
  const found = addressesIn(line)
  const [first] = found
  if (first === undefined) return slugsOf(line)
  return found.map((address, no) => {
    const start = no === 0 ? 0 : address.start
    const end = found[no + 1]?.start ?? line.length
    const around = `${withoutMarkers(line.slice(start, address.start))} ${line.slice(address.end, end)}`
    const part = line.slice(start, end).trim()
    return /\p{L}/u.test(around) && part.length <= max ? part : address.text
  })
}

/** The addresses in a text that have the form of an item's, each once, without the words about them. */
export function itemAddressesIn(text: string): string[] {
  const addresses = addressesIn(text).map((address) => address.text)
  return [...new Set(addresses.filter((address) => namedAt(address, maxDepth) !== undefined))]
}

/** The target of a part of a notice, as far as its text tells: the rest is in the database. */
export function namedBy(typed: string): Named | undefined {
  for (const { text } of addressesIn(typed)) {
    const named = namedAt(text, maxDepth)
    if (named !== undefined) return named
  }
  const words = wordsOf(withoutMarkers(typed))
  const [only] = words
  return words.length > 1 || only === undefined ? undefined : namedAlone(only.text)
}

/** Several names of items on one line, or the line as it is. */
function slugsOf(line: string): string[] {
  const text = line.trim()
  const words = wordsOf(withoutMarkers(text)).map((each) => each.text)
  const areSlugs = words.length > 1 && words.every((each) => /^[a-z0-9]+(?:-[a-z0-9]+)+$/i.test(each))
  return areSlugs ? words : text === '' ? [] : [text]
}

function addressesIn(text: string): Word[] {
  return wordsOf(text).filter(({ text: each }) => readsAsAddress(each))
}

/** The words of a text, without marks that cannot be seen and without signs at their ends. */
function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(word)) {
    let start = match.index
    for (const piece of match[0].split(pasted)) {
      const trimmed = withoutSigns(piece.replaceAll(/\p{Cf}/gu, ''))
      if (trimmed !== '') words.push({ start, end: start + piece.length, text: trimmed })
      start += piece.length
    }
  }
  return words
}

const signsBefore = new Set('*_~-–—=+•#>.:!?…')
const signsAfter = new Set('*_~.:!?…！？>')

/** Character by character: an expression that looks for signs at the end begins anew at each of them. */
function withoutSigns(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && signsBefore.has(text.charAt(start))) start += 1
  while (end > start && signsAfter.has(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Without what stands before the items of a list: '1. ', '2) ', '- ', 'URL: '. */
function withoutMarkers(line: string): string {
  let text = line.trim()
  for (let no = 0; no < 3; no += 1) text = text.replace(/^(?:[-–—*•·+>]|\(?\d{1,3}[.):]|[a-z]{1,12}:)(?:\s+|$)/iu, '')
  return text
}

function readsAsAddress(text: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:[/\\]+[^/\\]/i.test(text) || /https?(?::|%3a)[/\\%]/i.test(text)) return true
  if (/^[/\\]+[\p{L}\p{N}%]/u.test(text)) return true
  const host = text.slice(0, endOfHost(text))
  if (host.length < text.length && isHost(host)) return true
  return text.includes('/') && namedAt(text, 0) !== undefined
}

/** The target of an address with a path: by itself, or by an address inside it. */
function namedAt(address: string, depth: number): Named | undefined {
  const text = address.replaceAll('\\', '/')
  const url = urlOf(text)
  const inner = [...text.matchAll(/https?:\/+/gi)].map(({ index }) => index)
  const named =
    namedByUrl(url) ??
    // As of `view-source:` and of archives, which put their own before it.
    [inner[0] ?? 0, inner.at(-1) ?? 0].flatMap((at) => (at === 0 ? [] : (namedByUrl(urlOf(text.slice(at))) ?? [])))[0]
  if (named !== undefined || depth === 0) return named
  // As of translators, and of the forms of this site: `?url=https://…`, `?entry=/asian/…`.
  for (const value of [...url.searchParams.values(), url.hash.slice(1)]) {
    const within = value.includes('/') ? namedAt(value, depth - 1) : undefined
    if (within !== undefined) return within
  }
  return undefined
}

function namedByUrl(url: URL): Named | undefined {
  const parts = partsOf(url)
  const named = namedByParts(parts, url)
  if (named !== undefined) return named
  // A host within the path: the address of a page that another site has kept.
  const host = parts.slice(0, -1).findLastIndex(isHost)
  return host === -1 ? undefined : namedByParts(parts.slice(host + 1), url)
}

function namedByParts([first = '', second = '', ...rest]: readonly string[], url: URL): Named | undefined {
  const section = first.toLowerCase()
  const [third] = rest
  const count = 2 + rest.length
  if (second !== '' && sections.has(section) && count === 2) return slugIn(second)
  if (section === 'go' && count === 3) return slugIn(second)
  if (section === 'go' && second !== '' && count === 2) return { ticket: second }
  const id = section === 'api' && second === 'items' ? third : section === 'admin' ? url.searchParams.get('edit') : null
  return id !== undefined && id !== null && isUuid(id) ? { id: id.toLowerCase() } : undefined
}

/** A slug that stands alone, as a word or as a path. */
function namedAlone(text: string): Named | undefined {
  if (scheme.test(text) || isHost(text.slice(0, endOfHost(text)))) return undefined
  const parts = partsOf(urlOf(text))
  return parts.length === 1 ? slugIn(parts[0] ?? '') : undefined
}

function partsOf({ pathname }: URL): string[] {
  const parts = pathname
    .split('/')
    // `%2F` is a slash that somebody's program has encoded.
    .flatMap((part) => decoded(part).split('/'))
    .map((part) => part.replaceAll(/\p{Cf}/gu, '').trim())
    .filter((part) => part !== '' && part !== '.')
  const last = parts.pop()
  return last === undefined ? [] : [...parts, withoutEnd(last)]
}

const signsAtEnd = new Set([...signsAfter, ...'"\'`)]}>,;”’»'])

function withoutEnd(part: string): string {
  let end = part.length
  while (end > 0 && signsAtEnd.has(part.charAt(end - 1))) end -= 1
  const text = part.slice(0, end)
  return text.toLowerCase().endsWith('.data') ? text.slice(0, -'.data'.length) : text
}

/** The path decides, so what has no host, or one that cannot be, is taken as a path. */
function urlOf(text: string): URL {
  const before = scheme.exec(text)?.[0]
  if (before === undefined) {
    const end = endOfHost(text)
    return readUrl(isHost(text.slice(0, end)) ? text.slice(end) : text)
  }
  const rest = text.slice(before.length)
  return readUrl(rest.slice(endOfHost(rest)))
}

function readUrl(path: string): URL {
  const url = URL.parse(`https://site.invalid/${path}`)
  if (url === null) throw new Error('A path makes no address.')
  return url
}

/** The end of the host at the beginning of a text without a scheme. */
function endOfHost(text: string): number {
  const end = text.search(/[/?#]/)
  return end === -1 ? text.length : end
}

/** A slug has no dot, and the name of a host has one, or the port of a machine. */
function isHost(text: string): boolean {
  const at = text.indexOf('.')
  return (at !== -1 && at < text.length - 1) || /^localhost(?::\d+)?$/i.test(text)
}

function slugIn(text: string): { slug: string } | undefined {
  const slug = text.normalize('NFC').trim().toLowerCase()
  return /^[a-z0-9-]{1,120}$/.test(slug) ? { slug } : undefined
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
