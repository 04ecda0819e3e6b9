import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../../src/platform/app.ts'

/** A letter as its reader sees it. */
export interface ReadLetter {
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

/** All letters that were written to files, the oldest first. */
export async function readLetters(app: Pick<App, 'config'>): Promise<ReadLetter[]> {
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
  return files.sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ source }) => parseLetter(source))
}

/** Waits for a letter to this mailbox; of several the newest. */
export async function waitForLetter(
  app: Pick<App, 'config'>,
  { to, subject = /(?:)/, withinMs = 20_000 }: { to: string; subject?: RegExp | string; withinMs?: number },
): Promise<ReadLetter> {
  const isMeant = (letter: ReadLetter): boolean =>
    letter.to.toLowerCase() === to.toLowerCase() &&
    (typeof subject === 'string' ? letter.subject === subject : subject.test(letter.subject))
  const end = Date.now() + withinMs
  for (;;) {
    const letters = await readLetters(app)
    const found = letters.findLast(isMeant)
    if (found !== undefined) return found
    if (Date.now() > end) {
      const there = letters.map((letter) => `${letter.to}: ${letter.subject}`).join('; ')
      throw new Error(`No letter to ${to} with ${subject} came. There are: ${there === '' ? 'none' : there}.`)
    }
    await new Promise((wake) => setTimeout(wake, 50))
  }
}

/** Reads a message of text and HTML. @param source its bytes, one character each */
export function parseLetter(source: string): ReadLetter {
  const { headers, body } = split(source)
  const boundary = /boundary="?([^";]+)"?/.exec(headers.get('content-type') ?? '')?.[1]
  if (boundary === undefined) throw new Error('The letter has no parts.')
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    // The line breaks around a part belong to the boundaries (RFC 2046, 5.1.1).
    .map((part) => split(part.replace(/^\r\n|\r\n$/g, '')))
  const read = (type: string): string => {
    const part = parts.find((one) => one.headers.get('content-type')?.startsWith(type) === true)
    if (part === undefined) throw new Error(`The letter has no ${type}.`)
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
