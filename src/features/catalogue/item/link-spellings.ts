import { hostFilesOf } from './host-files.ts'

/** So many parameters of an address are looked up by themselves, and so many in pairs: nobody has more. */
const maxAlone = 64
const maxInPairs = 12

/** So many addresses inside an address are looked at. */
const maxInside = 16

/**
 * What an address is blocked by, in whatever spelling it is written (docs/spec/publishing.md#fingerprints): no more than
 * names this one file. Pure and browser-safe.
 *
 * What names the file on a host that is known is its id there, and nothing else: whether it stands in the path, the query or
 * behind the #. Any other address counts in its canonical form, with the parameters alone that name the file, and without
 * any where the path names it: `example.org/get?id=5` without its query would stand for every file of that host.
 * @returns none for what is no address
 */
export function blockingSpellingsOf(address: string): string[] {
  return [...spell(address).blocking]
}

/**
 * What an address is looked up by among what is blocked: all that it would be blocked by, and all that would name the file
 * if something in it were ignored or led on: its path, each of its parameters, the folder that it lies in, the addresses
 * that stand in it. It may be wide, since only what somebody has had blocked is ever met. Pure and browser-safe.
 * @returns none for what is no address
 */
export function spellingsOf(address: string): string[] {
  const { blocking, further } = spell(address)
  return [...new Set([...blocking, ...further])]
}

/** What names one file, and what the address is looked up by besides. */
interface Spellings {
  blocking: Set<string>
  further: Set<string>
}

function spell(address: string): Spellings {
  const url = parse(address.replace(aroundAddress, ''))
  if (url === undefined) return { blocking: new Set(), further: new Set() }
  const own = spellWritten(url)
  for (const other of [...plainHostOf(url), ...plainNamesOf(url)]) {
    const { blocking, further } = spellWritten(other)
    for (const spelling of blocking) own.blocking.add(spelling)
    for (const spelling of further) own.further.add(spelling)
  }
  return own
}

/** What pasting leaves around an address: spaces of all kinds, and characters that nobody sees. */
const aroundAddress = /^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu

/** The same address at the plain name of its host, where it has another one: `www.` only once, and IPv4 within IPv6 as IPv4. */
function plainHostOf(url: URL): URL[] {
  const { hostname } = url
  const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname)
  const host =
    mapped === null
      ? hostname.replace(/^(?:www\.)+(?=www\.[^.]+\.)/, '')
      : mapped
          .slice(1)
          .map((part) => Number.parseInt(part, 16))
          .flatMap((part) => [part >> 8, part & 255])
          .join('.')
  if (host === hostname) return []
  const plain = new URL(url)
  plain.hostname = host
  return [plain]
}

/** The same address with the names of its parameters in small letters, as many servers read them. A name without a value may be an id. */
function plainNamesOf(url: URL): URL[] {
  const isPlain = (name: string, value: string): boolean => value === '' || name === name.toLowerCase()
  const parameters = [...url.searchParams]
  if (parameters.every(([name, value]) => isPlain(name, value))) return []
  const plain = new URL(url)
  plain.search = new URLSearchParams(
    parameters.map(([name, value]) => [isPlain(name, value) ? name : name.toLowerCase(), value]),
  ).toString()
  return [plain]
}

/** The spellings of an address as it is written, and of those that stand in it. */
function spellWritten(url: URL): Spellings {
  const inside = addressesInside(url)
  const isOnlyWrapper = wrappers.test(canonicalHost(url)) && inside.length > 0
  const { blocking, further } = isOnlyWrapper
    ? { blocking: new Set<string>(), further: new Set<string>() }
    : spellOwn(url)
  // Of others it is not known whether what stands in them is what they show: it may be where one comes from.
  const isCopy = isOnlyWrapper || showsAnother(url)
  for (const each of inside) {
    const inner = spellOwn(each)
    for (const spelling of inner.blocking) (isCopy && isOfOneFile(each) ? blocking : further).add(spelling)
    for (const spelling of inner.further) further.add(spelling)
  }
  return { blocking, further }
}

function parse(address: string): URL | undefined {
  const url = URL.parse(address)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : undefined
}

/** The spellings of an address itself, whatever stands in it. */
function spellOwn(url: URL): Spellings {
  const host = canonicalHost(url)
  const segments = segmentsOf(url)
  const bare = segments.map(withoutParameters).filter((segment) => segment !== '')
  const parts = { host, segments: bare, query: url.searchParams, fragment: fragmentOf(url) }
  const files = hostFilesOf(parts)
  if (files !== undefined) {
    const [file, ...folders] = files
    const others = [...queriesOfOne(url.searchParams)].flatMap((query) => hostFilesOf({ ...parts, query }) ?? [])
    return {
      blocking: new Set([`file ${file}`]),
      further: new Set([...folders, ...others].map((each) => `file ${each}`)),
    }
  }
  const blocking = new Set<string>()
  const further = new Set<string>()
  const parameters = parametersOf(url)
  const textOf = (path: readonly string[]) => `url ${host}${portOf(url)}/${path.map(encodeURIComponent).join('/')}`
  const address = (path: string, query: readonly Parameter[], route = '') =>
    `${path}${query.length === 0 ? '' : `?${query.map(({ text }) => text).join('&')}`}${route}`
  const path = textOf(segments)
  const naming = parameters.filter(({ isNaming }) => isNaming)

  const route = routeOf(url, segments)
  if (route !== '') {
    blocking.add(address(path, parameters, route)).add(address(path, naming, route))
    further.add(address(path, [], route)).add(address(path, [], route.split('?')[0]))
    return { blocking, further }
  }
  blocking.add(address(path, parameters))
  if (naming.length > 0) blocking.add(address(path, naming))
  if (parameters.length > 0 && isNamedByPath(segments, parameters)) blocking.add(address(path, []))
  const paths = [segments]
  if (segments.some((segment) => segment.includes(';'))) {
    paths.push(bare)
    if (isNamedByPath(bare, [...matrixOf(segments), ...parameters])) blocking.add(address(textOf(bare), []))
  }
  // Some servers decode once more than others.
  if (segments.some((segment) => segment.includes('%')))
    paths.push(resolved(bare.map((segment) => decoded(decoded(segment)))))
  const queries = lookedUpQueries(parameters, naming)
  for (const each of paths) {
    const text = textOf(each)
    for (const query of queries) further.add(address(text, query))
    if (naming.length === 0 || mayNameFile(each)) further.add(text)
  }
  return { blocking, further }
}

/** The parameters that may name the file if the rest is ignored: what names none, beside one that does, never does alone. */
function lookedUpQueries(parameters: readonly Parameter[], naming: readonly Parameter[]): Parameter[][] {
  if (parameters.length === 0) return [[]]
  const names = (query: readonly Parameter[]) => naming.length === 0 || query.some(({ isNaming }) => isNaming)
  const inPairs = parameters.slice(0, maxInPairs)
  return [
    [...parameters],
    [...naming],
    ...parameters.slice(0, maxAlone).map((each) => [each]),
    ...inPairs.flatMap((one, i) => inPairs.slice(i + 1).map((other) => [one, other])),
    ...(parameters.length > maxInPairs ? [] : parameters.map((_, i) => parameters.toSpliced(i, 1))),
  ].filter((query) => query.length > 0 && names(query))
}

/** For each value of a parameter that stands more than once: the query as if it had that one alone. */
function* queriesOfOne(query: URLSearchParams): Generator<URLSearchParams> {
  if (new Set(query.keys()).size === query.size) return
  for (const [name, value] of [...query].slice(0, maxAlone)) {
    const one = new URLSearchParams(query)
    one.set(name, value)
    yield one
  }
}

/**
 * Whether an address names one file, so that it may stand for what a redirect leads to: not the front page of a host, and
 * no page of its own such as a sign-in, to which many dead links lead.
 */
export function namesOneFile(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && isOfOneFile(url)
}

function isOfOneFile(url: URL): boolean {
  const segments = segmentsOf(url)
  if ([...spellOwn(url).blocking].some((spelling) => spelling.startsWith('file '))) return true
  if (segments.length === 0) return false
  return !segments.some((segment) => pagesOfHosts.has(stemOf(segment)))
}

/** Pages that a host leads to instead of a file. */
const pagesOfHosts = new Set(
  `login signin sign-in sign_in servicelogin auth oauth account accounts register signup 404 403
  410 451 error errors notfound not-found not_found gone removed deleted expired unavailable
  blocked sorry home index default welcome search consent captcha maintenance premium pricing
  plans terms tos dmca abuse about help support`.split(/\s+/),
)

/** Last parts of paths that name no file but what is done with one. */
const verbs = new Set(
  `download downloads dl get getfile file files view viewer open uc show item items watch play
  stream embed fetch serve api link links go out redirect index default main page doc document
  share s d f v q search attachment`.split(/\s+/),
)

/** Parameters that name a file, wherever they stand. */
const namesOfFiles =
  /^(?:.*id|files?|f|v|k|d|n|p|q|s|u|c|doc|document|path|name|filename|item|key|code|hash|link|url|target|src|surl|page|title|book|t|no|num|number|i|m|pid|aid|attachment|record|object|resource|article|entry|slug)$/i

/** Parameters that tell where a visitor comes from: no part of any spelling. */
const ofVisitors = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|ref|referrer|_ga|_gl|usp)$/i

/** What is run on a server rather than fetched from it. */
const script = /\.(?:php\d?|aspx?|ashx|jsp|jspx|cgi|pl|do|action|cfm|dll|exe)$/i

/** Parameters that say how the file is fetched, when they stand without a value. */
const waysToFetch = /^(?:download|dl|raw|inline|view|embed|preview|print|attachment|force|save)$/i

/** A parameter of an address. */
interface Parameter {
  /** Name and value in their canonical form. */
  text: string
  /** Whether it may name the file: by its name, or as the name itself where it has no value. */
  isNaming: boolean
}

function parameter(name: string, value: string): Parameter {
  const shown = encodeURIComponent(name)
  return value === ''
    ? { text: shown, isNaming: !waysToFetch.test(name) }
    : { text: `${shown}=${encodeURIComponent(value)}`, isNaming: namesOfFiles.test(name) }
}

/** Whether the path alone names the file, so that the parameters are only how it is fetched. */
function isNamedByPath(segments: readonly string[], parameters: readonly Parameter[]): boolean {
  const last = segments.at(-1) ?? ''
  const stem = stemOf(last)
  if (stem === '' || script.test(last) || verbs.has(stem)) return false
  // A name with an ending is that of a file, whatever it is asked for with.
  if (/\.[a-z][a-z0-9]{0,7}$/i.test(last) && !/\.html?$/i.test(last)) return true
  return !parameters.some(({ isNaming }) => isNaming)
}

/** Whether a path without its parameters may be a file: not the front page of a host, no script and no verb alone. */
function mayNameFile(segments: readonly string[]): boolean {
  return !script.test(segments.at(-1) ?? '') && segments.some((segment) => !verbs.has(stemOf(segment)))
}

/** A part of a path in small letters, without the ending of a page. */
function stemOf(segment: string): string {
  return segment.toLowerCase().replace(/\.(?:html?|php\d?|aspx?|jsp)$/, '')
}

function canonicalHost({ hostname }: URL): string {
  let end = hostname.length
  while (hostname[end - 1] === '.') end -= 1
  return hostname.slice(0, end).replace(/^www\.(?=.*\.)/, '')
}

/** A port that is the default one of either scheme is none: the scheme is dropped. */
function portOf({ port }: URL): string {
  return port === '' || port === '80' || port === '443' ? '' : `:${port}`
}

/** The parts of the path as they read, without empty ones. A slash counts however it is written. */
function segmentsOf({ pathname }: URL): string[] {
  return resolved(pathname.split('/').map(decoded))
}

function resolved(parts: readonly string[]): string[] {
  const segments: string[] = []
  for (const part of parts.flatMap((each) => each.split(/[\\/]/))) {
    const segment = cleaned(part)
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments
}

/** A text without spaces at its ends, and without characters that nobody sees, such as the %00 at which some servers stop. */
function cleaned(text: string): string {
  if (/^[!-~]*$/.test(text)) return text
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .normalize('NFC')
}

/** A part of a path without what stands behind a semicolon, which most servers ignore. */
function withoutParameters(segment: string): string {
  const end = segment.indexOf(';')
  return end === -1 ? segment : segment.slice(0, end).trimEnd()
}

/** What stands behind the semicolons of a path. */
function matrixOf(segments: readonly string[]): Parameter[] {
  return segments
    .flatMap((segment) => segment.split(';').slice(1))
    .map((text) => text.split('='))
    .map(([name = '', ...value]) => parameter(name, value.join('=')))
}

/** The path that an application in the browser has behind the #; any other fragment is a place on one page. */
function routeOf(url: URL, segments: readonly string[]): string {
  const fragment = segments.length === 0 ? fragmentOf(url) : ''
  return /^[/!]/.test(fragment) ? `#${fragment}` : ''
}

function fragmentOf({ hash }: URL): string {
  return decoded(hash.slice(1))
}

/** A text whose percent signs stand for no characters stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The parameters in one order and spelling, each once, without those of visitors. */
function parametersOf({ searchParams }: URL): Parameter[] {
  const known = new Map<string, Parameter>()
  for (const [name, value] of searchParams) {
    if (name === '' || ofVisitors.test(name)) continue
    const each = parameter(cleaned(name), cleaned(value))
    known.set(each.text, each)
  }
  return [...known.values()].toSorted((one, other) => (one.text < other.text ? -1 : 1))
}

/** Hosts that show advertising before an address which stands in their own; the gateway makes such addresses. */
const wrappers =
  /^(?:linkvertise\.com|link-to\.net|link-center\.net|link-hub\.net|link-target\.net|direct-link\.net|up-to-down\.net|file-link\.net)$/

/** Hosts that keep copies of other addresses, translate them or lead on to them: the file is the one behind. */
const hostsOfCopies =
  /^(?:web\.archive\.org|archive\.(?:ph|today|is|li|md|vn|fo)|translate\.google\.com|href\.li|anonym\.to|l\.facebook\.com|out\.reddit\.com)$/

function showsAnother(url: URL): boolean {
  const host = canonicalHost(url)
  return hostsOfCopies.test(host) || (/^google\.[a-z.]{2,6}$/.test(host) && url.pathname === '/url')
}

/**
 * The addresses that stand in the path, the query or the fragment of an address, whatever is around them: as they read, with
 * their signs encoded up to three times, or in base64. None of the wrappers' own.
 */
function addressesInside(url: URL): URL[] {
  const rest = `${url.pathname}${url.search}${url.hash}`
  const found = new Set<string>()
  if (/https?(?::|%)|aHR0c/i.test(rest)) {
    lookInto(rest, found)
    for (const [name, value] of url.searchParams) {
      lookInto(name, found)
      lookInto(value, found)
    }
  }
  if (canonicalHost(url) === 'web.archive.org') {
    // It takes addresses without a scheme, too.
    const [, copied] = /^\/web\/[^/]+\/(.+)$/.exec(rest) ?? []
    if (copied !== undefined && !/^https?:/i.test(copied)) found.add(`https://${copied}`)
  }
  return firstAndLast([...found])
    .flatMap((address) => parse(address) ?? [])
    .filter((each) => !wrappers.test(canonicalHost(each)))
}

function lookInto(text: string, found: Set<string>, isDecoded = false): void {
  let read = text
  for (let round = 0; round < 4; round += 1) {
    for (const { index } of firstAndLast([...read.matchAll(/https?:/gi)])) found.add(read.slice(index))
    if (!isDecoded) {
      for (const [base64] of firstAndLast([...read.matchAll(/aHR0c[-\w+/]*/g)]))
        lookInto(fromBase64(base64), found, true)
    }
    const next = read.replace(/%[2-7][0-9a-f]/gi, (sign) => String.fromCharCode(Number.parseInt(sign.slice(1), 16)))
    if (next === read) return
    read = next
  }
}

function firstAndLast<T>(all: readonly T[]): readonly T[] {
  return all.length <= maxInside ? all : [...all.slice(0, maxInside / 2), ...all.slice(-maxInside / 2)]
}

/** @returns '' for what is none */
function fromBase64(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}
