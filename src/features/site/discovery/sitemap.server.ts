import { setImmediate } from 'node:timers/promises'
import type { Scope } from '../../../http/cache/response-cache.ts'
import { xmlElement, xmlText } from '../../../platform/xml.ts'
import { freeContentTypes, itemPath } from '../../catalogue/item/content-type.ts'
import { anonymous } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { SortedLines } from './sorted-lines.ts'

/** As many entries has a part. */
const entriesPerPart = 5_000
/** As many rows are read in one piece. */
const rowsAtOnce = 250
/** Room for most lines, in bytes. */
const lineRoom = 160

/** The memory of the part before, for rows and lines: each of its own would leave hundreds of megabytes to collect. */
let spare: { rows: Buffer; lines: Buffer } | undefined

/** The pages that are no entry: lists, plans, legal texts, and what the site says of itself. */
const pages = [
  '/',
  ...freeContentTypes.map((page) => `/${page}`),
  '/plans',
  '/feeds',
  '/terms',
  '/privacy',
  '/dmca',
  '/transparency',
]

/** A map and what it depends on. */
type Sitemap = { xml: string | Buffer; scope: Scope }

const head = '<?xml version="1.0" encoding="utf-8"?>\n'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const mapHead = `${head}<urlset ${namespace}>\n`
const mapFoot = '</urlset>\n'

/** The index of the parts. */
export function sitemapIndex({ config: { publicUrl }, listing }: Pick<SiteApp, 'config' | 'listing'>): Sitemap {
  const { total, scope } = listing.freeItems({ skip: 0, limit: 0 })
  const parts = ['pages', ...Array.from({ length: Math.ceil(total / entriesPerPart) }, (_, i) => String(i + 1))]
  const lines = parts.map((part) => `<sitemap>${xmlElement('loc', `${publicUrl}/sitemap.xml?part=${part}`)}</sitemap>`)
  return { xml: `${head}<sitemapindex ${namespace}>\n${lines.join('\n')}\n</sitemapindex>\n`, scope }
}

/** One part: `pages`, or entries by its number from 1; undefined for one that is not there. */
export async function sitemapPart(
  app: Pick<SiteApp, 'config' | 'listing'>,
  part: string,
): Promise<Sitemap | undefined> {
  const origin = xmlText(app.config.publicUrl)
  if (part === 'pages') {
    const lines = pages.map((path) => `<url><loc>${origin}${path}</loc></url>\n`)
    return { xml: [mapHead, ...lines, mapFoot].join(''), scope: app.listing.scopeOfSettings() }
  }
  if (!/^[1-9]\d{0,5}$/.test(part)) return undefined
  const page = { skip: (Number(part) - 1) * entriesPerPart, limit: entriesPerPart }
  const { numbers, scope } = app.listing.freeItems(page)
  if (numbers.length === 0) return undefined
  const memory = spare ?? {
    rows: Buffer.allocUnsafeSlow(rowsAtOnce * 2_048),
    lines: Buffer.allocUnsafeSlow(entriesPerPart * lineRoom),
  }
  spare = undefined
  const lines = new SortedLines(numbers.length, memory.lines)
  for (let at = 0; at < numbers.length; at += rowsAtOnce) {
    let taken = 0
    const items = await app.listing.readItems(numbers.slice(at, at + rowsAtOnce), anonymous, (size) => {
      taken += size
      return taken > memory.rows.length ? Buffer.allocUnsafe(size) : memory.rows.subarray(taken - size, taken)
    })
    for (const { row, idBytes, changedAt, postedAt } of items) {
      const lastmod = new Date(Math.max(changedAt, postedAt)).toISOString()
      lines.add(idBytes, `<url><loc>${origin}${itemPath(row)}</loc><lastmod>${lastmod}</lastmod></url>\n`)
    }
    // Others are served between two pieces.
    await setImmediate()
  }
  // Numbers follow ids but within one instant.
  const xml = lines.join(mapHead, mapFoot)
  spare = memory
  return { xml, scope }
}
