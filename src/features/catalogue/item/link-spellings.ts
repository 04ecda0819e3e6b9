import { hostFilesOf } from './host-files.ts'

/**
 * The spellings that name the file of a link (docs/spec/publishing.md#fingerprints), one text for all ways in which people
 * write the same address: its canonical form or, on a host that is known, the id of the file there. Behind it stand the
 * folders that the file lies in, the innermost first. Pure and browser-safe.
 * @returns none for what is no address
 */
export function spellingsOf(address: string): string[] {
  const url = URL.parse(address.trim())
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return []
  const host = hostOf(url)
  const segments = segmentsOf(url)
  const files = hostFilesOf({ host, segments, query: url.searchParams, fragment: decoded(url.hash.slice(1)) })
  if (files !== undefined) return files.map((file) => `file ${file}`)
  const path = segments.map(encodeURIComponent).join('/')
  return [`url ${host}${portOf(url)}/${path}${queryOf(url, segments)}${routeOf(url, segments)}`]
}

/**
 * Whether an address names one file, so that it may stand for what a redirect leads to: not the front page of a host, and
 * no page of its own such as a sign-in, to which many dead links lead.
 */
export function namesOneFile(address: string): boolean {
  const [spelling = ''] = spellingsOf(address)
  if (spelling.startsWith('file ')) return true
  const url = URL.parse(address)
  if (spelling === '' || url === null) return false
  const segments = segmentsOf(url)
  return segments.length > 0 && !segments.some((segment) => pagesOfHosts.has(stemOf(segment)))
}

const pagesOfHosts = new Set(
  `login signin sign-in sign_in servicelogin auth oauth account accounts register signup 404 403
  410 451 error errors notfound not-found not_found gone removed deleted expired unavailable
  blocked sorry home index default welcome search consent captcha maintenance premium pricing
  plans terms tos dmca abuse about help support`.split(/\s+/),
)

const ofVisitors = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|ref|referrer|_ga|_gl|usp)$/i

/** The ending of a file, but of a page or a script. */
const fileName = /\.(?!(?:html?|php\d?|aspx?|ashx|jspx?|cgi|pl|do|action|cfm|dll|exe)$)[a-z][a-z0-9]{0,7}$/i

function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '').replace(/^www\.(?=.*\.)/, '')
}

/** The default port of either scheme is none: the scheme is dropped. */
function portOf({ port }: URL): string {
  return port === '' || port === '80' || port === '443' ? '' : `:${port}`
}

function segmentsOf({ pathname }: URL): string[] {
  return pathname
    .split('/')
    .map((part) => decoded(part).trim().normalize('NFC'))
    .filter((part) => part !== '')
}

/** A name with the ending of a file names it whatever stands behind it; everything else is named by its parameters, too. */
function queryOf({ searchParams }: URL, segments: readonly string[]): string {
  if (fileName.test(segments.at(-1) ?? '')) return ''
  const parameters = [...searchParams].filter(([name]) => name !== '' && !ofVisitors.test(name))
  if (parameters.length === 0) return ''
  return `?${new URLSearchParams(parameters.toSorted(([one], [other]) => (one < other ? -1 : 1))).toString()}`
}

/** The path that an application in the browser has behind the #; any other fragment is a place on one page. */
function routeOf({ hash }: URL, segments: readonly string[]): string {
  return segments.length === 0 && /^#[/!]/.test(hash) ? `#${decoded(hash.slice(1))}` : ''
}

/** A part of a path in small letters, without the ending of a page. */
function stemOf(segment: string): string {
  return segment.toLowerCase().replace(/\.(?:html?|php\d?|aspx?|jsp)$/, '')
}

/** A text whose percent signs stand for no characters stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
