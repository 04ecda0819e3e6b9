import { hashOf, ownScripts } from '../security-headers.ts'

/** Texts that a page has in places of its template, by the names of the places. */
export type Texts = Readonly<Record<string, string>>

/** A page that need not be rendered whole (docs/decisions/2026-11-28-pages-by-splicing.md). */
export interface SplicedPage {
  /** All that the page depends on beside its texts: pages with one key have one template. */
  key: string
  texts: Texts
  /** The texts of a page that is rendered for the template. Where they stand on it are its places. */
  standIns: Texts
  /** Renders that page, with this mark on its own scripts; undefined if what the key names has changed meanwhile. */
  render(nonce: string): Promise<Response | undefined>
}

/** A text as it stands inside a text of a page's data, which is a text in a script (React Router's `StreamTransfer`). */
export function scriptText(text: string): string {
  return JSON.stringify(JSON.stringify(text))
    .slice(3, -3)
    .replaceAll(/[&<>\u2028\u2029]/g, escapeOf)
}

function escapeOf(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
}

function escapedForRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

class Gaps {
  /** The names of the places, and the texts around them. */
  readonly names: readonly string[]
  readonly #around: readonly Buffer[]

  constructor(text: string, standIns: Texts) {
    const names = new Map(Object.entries(standIns).map(([name, standIn]) => [standIn, name]))
    // A longer one may begin like a shorter one.
    const found = [...names.keys()].sort((a, b) => b.length - a.length).map((each) => escapedForRegExp(each))
    const parts = text.split(new RegExp(`(${found.join('|')})`))
    this.names = parts.filter((_, index) => index % 2 === 1).map((part) => names.get(part) ?? '')
    this.#around = parts.filter((_, index) => index % 2 === 0).map((part) => Buffer.from(part))
  }

  /** The bytes, piece by piece: a whole page as one text of two bytes a character lies in memory of its own, which costs a millisecond. */
  fill(texts: Texts): Buffer[] {
    return this.#around.flatMap((bytes, index) =>
      index === 0 ? bytes : [Buffer.from(texts[this.names[index - 1] as string] ?? ''), bytes],
    )
  }
}

/** A stretch of a page: a script with places, or what lies before, between and behind such scripts. */
interface Stretch {
  gaps: Gaps
  /** The place of its hash, if it is a script. */
  hashAt?: number
}

/** A page that was rendered once, with places for what differs between pages of its kind. */
export class PageTemplate {
  readonly #stretches: readonly Stretch[]
  /** The hash of each script; that of a script with places is known once it is filled. */
  readonly #hashes: readonly string[]

  private constructor(stretches: readonly Stretch[], hashes: readonly string[]) {
    this.#stretches = stretches
    this.#hashes = hashes
  }

  /** @returns undefined if not every text of the rendered page is found on it */
  static of(marked: string, nonce: string, standIns: Texts): PageTemplate | undefined {
    const { html, scripts } = ownScripts(marked, nonce)
    const stretches: Stretch[] = []
    let rest = html
    for (const [hashAt, script] of scripts.entries()) {
      const gaps = new Gaps(script, standIns)
      if (gaps.names.length === 0) continue
      const start = rest.indexOf(`>${script}</script>`) + 1
      stretches.push({ gaps: new Gaps(rest.slice(0, start), standIns) }, { gaps, hashAt })
      rest = rest.slice(start + script.length)
    }
    stretches.push({ gaps: new Gaps(rest, standIns) })
    const names = new Set(stretches.flatMap(({ gaps }) => gaps.names))
    if (Object.keys(standIns).some((name) => !names.has(name))) return undefined
    return new PageTemplate(
      stretches,
      scripts.map((script) => hashOf(script)),
    )
  }

  /** The page with these texts, and the hashes of its scripts. */
  fill(texts: Texts): { body: Buffer; hashes: string[] } {
    const hashes = [...this.#hashes]
    const parts = this.#stretches.flatMap(({ gaps, hashAt }) => {
      const pieces = gaps.fill(texts)
      if (hashAt === undefined) return pieces
      const script = Buffer.concat(pieces)
      hashes[hashAt] = hashOf(script)
      return script
    })
    return { body: Buffer.concat(parts), hashes }
  }
}

/** How many templates are cached, of about 25 kB each. */
const maxTemplates = 200

/** The templates of a site's pages; those that were used last. */
export class PageTemplates {
  readonly #templates = new Map<string, PageTemplate>()

  /**
   * Puts a page together; the first one of its kind has its template rendered before.
   * @returns undefined where the page has to be rendered whole: its own words contain stand-ins, or its template does not
   */
  async put(
    { key, texts, standIns, render }: SplicedPage,
    nonce: string,
  ): Promise<ReturnType<PageTemplate['fill']> | undefined> {
    if (Object.values(standIns).some((standIn) => key.includes(standIn))) return undefined
    const template = this.#templates.get(key) ?? (await make(await render(nonce), nonce, standIns))
    if (template === undefined) return undefined
    this.#templates.delete(key)
    this.#templates.set(key, template)
    for (const oldest of this.#templates.keys()) {
      if (this.#templates.size <= maxTemplates) break
      this.#templates.delete(oldest)
    }
    return template.fill(texts)
  }
}

async function make(response: Response | undefined, nonce: string, standIns: Texts): Promise<PageTemplate | undefined> {
  return response?.status === 200 ? PageTemplate.of(await response.text(), nonce, standIns) : undefined
}
