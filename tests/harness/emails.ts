import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../../src/app/app.ts'

/** An email as its reader sees it. */
export interface ReadEmail {
  /** The mailbox, without the name. */
  to: string
  subject: string
  text: string
  html: string
  /** Every address that the HTML links to, in order, each once. */
  links: string[]
  /** All headers, decoded, under their names in lower case. */
  headers: Map<string, string>
}

/** All emails that were written to files, the oldest first. */
export async function readEmails(app: Pick<App, 'config'>): Promise<ReadEmail[]> {
  const folder = join(app.config.dataDir, 'mail')
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.eml'))
      .map(async (name) => {
        const file = join(folder, name)
        return { at: (await stat(file, { bigint: true })).mtimeNs, source: await readFile(file, 'latin1') }
      }),
  )
  return files.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ source }) => parseEmail(source))
}

/** An email to this mailbox, of several the newest: what is in line is done, or, where a process does it by itself, waited for. */
export async function waitForEmail(
  app: Pick<App, 'config'> & Partial<Pick<App, 'jobs'>>,
  { to, subject = /(?:)/, withinMs = 60_000 }: { to: string; subject?: RegExp | string; withinMs?: number },
): Promise<ReadEmail> {
  const isMeant = (email: ReadEmail): boolean =>
    email.to.toLowerCase() === to.toLowerCase() &&
    (typeof subject === 'string' ? email.subject === subject : subject.test(email.subject))
  const isDone = app.jobs?.isWorking === false
  if (isDone) await app.jobs?.drain()
  const end = Date.now() + withinMs
  for (;;) {
    const emails = await readEmails(app)
    const found = emails.findLast(isMeant)
    if (found !== undefined) return found
    if (isDone || Date.now() > end) {
      const there = emails.map((email) => `${email.to}: ${email.subject}`).join('; ')
      throw new Error(`No email to ${to} with ${subject} came. There are: ${there === '' ? 'none' : there}.`)
    }
    await new Promise((wake) => setTimeout(wake, 50))
  }
}

/** Reads a message of text and HTML. @param source its bytes, one character each */
export function parseEmail(source: string): ReadEmail {
  const { headers, body } = split(source)
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get('content-type') ?? '')?.[1]
  if (boundary === undefined) throw new Error('The email has no parts.')
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    // The line breaks around a part belong to the boundaries (RFC 2046, 5.1.1).
    .map((part) => split(part.replace(/^\r\n|\r\n$/g, '')))
  const read = (type: string): string => {
    const part = parts.find((one) => one.headers.get('content-type')?.startsWith(type) === true)
    if (part === undefined) throw new Error(`The email has no ${type}.`)
    return decodeBody(part.body, part.headers.get('content-transfer-encoding')).replaceAll('\r\n', '\n')
  }
  const html = read('text/html')
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'))
  const receiver = headers.get('to') ?? ''
  return {
    to: /<([^>]+)>\s*$/.exec(receiver)?.[1] ?? receiver,
    subject: headers.get('subject') ?? '',
    text: read('text/plain'),
    html,
    links: [...new Set(links)],
    headers,
  }
}

function split(source: string): { headers: Map<string, string>; body: string } {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
  })
  return { headers: new Map(headers), body: source.slice(end + 4) }
}

/** Encoded words of a header (RFC 2047); a character may be cut in two between words that follow each other. */
function decodeWords(value: string): string {
  return value.replace(/(?:=\?utf-8\?[bq]\?[^?]*\?=\s*)+/gi, (run) => {
    const words = [...run.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, encoding = '', text = '']) =>
      encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : quotedPrintable(text.replaceAll('_', ' ')),
    )
    const space = /\s$/.test(run) ? ' ' : ''
    return Buffer.concat(words).toString('utf8') + space
  })
}

function decodeBody(body: string, encoding = '7bit'): string {
  switch (encoding) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('utf8')
    case 'quoted-printable':
      return quotedPrintable(body).toString('utf8')
    case '7bit':
      return body
    default:
      throw new Error(`A body in ${encoding} is not known here.`)
  }
}

function quotedPrintable(text: string): Buffer {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
