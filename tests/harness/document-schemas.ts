import { expect } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { z } from 'zod'

/* The schemas of the documents for other programs, as their specifications state them. */

const sitemapTypes = `
  <xsd:simpleType name="loc"><xsd:restriction base="xsd:anyURI"><xsd:minLength value="12"/><xsd:maxLength value="2048"/></xsd:restriction></xsd:simpleType>
  <xsd:simpleType name="lastmod"><xsd:union><xsd:simpleType><xsd:restriction base="xsd:date"/></xsd:simpleType><xsd:simpleType><xsd:restriction base="xsd:dateTime"/></xsd:simpleType></xsd:union></xsd:simpleType>`

/** https://www.sitemaps.org/protocol.html, with the namespace of its own schema. */
function sitemapXsd(root: string, entry: string, most: number): string {
  return `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
    targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9" elementFormDefault="qualified">${sitemapTypes}
  <xsd:element name="${root}"><xsd:complexType><xsd:sequence>
    <xsd:element name="${entry}" minOccurs="1" maxOccurs="${most}"><xsd:complexType><xsd:all>
      <xsd:element name="loc" type="loc"/><xsd:element name="lastmod" type="lastmod" minOccurs="0"/>
    </xsd:all></xsd:complexType></xsd:element>
  </xsd:sequence></xsd:complexType></xsd:element></xsd:schema>`
}

const grammar = (start: string, definitions = ''): string =>
  `<grammar xmlns="http://relaxng.org/ns/structure/1.0" datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes"
    xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
  <start>${start}</start>${definitions}</grammar>`
const text = (name: string): string =>
  `<element name="${name}"><data type="string"><param name="minLength">1</param></data></element>`
const address = (name: string): string =>
  `<element name="${name}"><data type="anyURI"><param name="pattern">https?://.+</param></data></element>`
/** RFC 822 with a year of four digits, as the RSS Advisory Board asks for it. */
const instant = (name: string): string =>
  `<element name="${name}"><data type="string"><param name="pattern">(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT</param></data></element>`
const optional = (pattern: string): string => `<optional>${pattern}</optional>`
const any = (pattern: string): string => `<zeroOrMore>${pattern}</zeroOrMore>`

/** RSS 2.0 (https://www.rssboard.org/rss-specification) with the additions that the W3C's validator recommends or knows. */
const rssRng = grammar(
  `<element name="rss"><attribute name="version"><value>2.0</value></attribute><element name="channel"><interleave>
    ${text('title')}${address('link')}${text('description')}${optional(instant('pubDate'))}
    ${optional(`<element name="atom:link"><attribute name="href"><data type="anyURI"/></attribute><attribute name="rel"><value>self</value></attribute><attribute name="type"><value>application/rss+xml</value></attribute></element>`)}
    ${any('<ref name="item"/>')}
  </interleave></element></element>`,
  `<define name="item"><element name="item"><interleave>
    ${text('title')}${address('link')}${text('description')}${instant('pubDate')}
    <element name="guid"><attribute name="isPermaLink"><value>true</value></attribute><data type="anyURI"><param name="pattern">https?://.+</param></data></element>
    ${any(text('category'))}${any(text('dc:creator'))}
    ${optional(`<element name="media:content"><attribute name="url"><data type="anyURI"/></attribute><attribute name="type"><data type="string"><param name="pattern">image/[a-z]+</param></data></attribute><attribute name="medium"><value>image</value></attribute></element>`)}
  </interleave></element></define>`,
)

/** OpenSearch 1.1, draft 6. */
const openSearchRng = grammar(
  `<element name="OpenSearchDescription" ns="http://a9.com/-/spec/opensearch/1.1/"><interleave>
    ${['ShortName 16', 'LongName 48', 'Description 1024']
      .map((each) => each.split(' '))
      .map(
        ([name, most]) =>
          `<element name="${name}"><data type="string"><param name="minLength">1</param><param name="maxLength">${most}</param></data></element>`,
      )
      .join('')}
    <element name="InputEncoding"><value>UTF-8</value></element>
    ${any('<element name="Image"><attribute name="height"><data type="positiveInteger"/></attribute><attribute name="width"><data type="positiveInteger"/></attribute><attribute name="type"/><data type="anyURI"/></element>')}
    <oneOrMore><element name="Url"><attribute name="type"/><optional><attribute name="method"/></optional><attribute name="template"><data type="string"><param name="pattern">https?://.*\\{searchTerms\\}.*</param></data></attribute></element></oneOrMore>
  </interleave></element>`,
)

const xmlSchemas = {
  sitemap: { extension: 'schema', schema: sitemapXsd('urlset', 'url', 50_000) },
  sitemapIndex: { extension: 'schema', schema: sitemapXsd('sitemapindex', 'sitemap', 50_000) },
  rss: { extension: 'relaxng', schema: rssRng },
  openSearch: { extension: 'relaxng', schema: openSearchRng },
} as const

/** Fails for a document that is not what its specification says. */
export async function expectValidXml(kind: keyof typeof xmlSchemas, xml: string): Promise<void> {
  const { valid, errors } = await validateXML({ xml, ...xmlSchemas[kind] })
  expect({ valid, errors: errors.map(({ message }) => message) }).toEqual({ valid: true, errors: [] })
}

const Address = z.url({ protocol: /^https?$/ })

/** https://www.jsonfeed.org/version/1.1/ */
export type JsonFeed = z.infer<typeof JsonFeed>
export const JsonFeed = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string().min(1),
  home_page_url: Address,
  feed_url: Address.optional(),
  description: z.string(),
  icon: Address,
  items: z.array(
    z.strictObject({
      id: z.string().min(1),
      url: Address,
      title: z.string(),
      content_text: z.string().min(1),
      image: Address.optional(),
      date_published: z.iso.datetime(),
      date_modified: z.iso.datetime(),
      authors: z
        .array(z.strictObject({ name: z.string() }))
        .min(1)
        .optional(),
      tags: z.array(z.string()).min(1),
      language: z.string().optional(),
    }),
  ),
})

/** https://www.w3.org/TR/appmanifest/, with what browsers ask of a site that can be installed. */
export const AppManifest = z.strictObject({
  name: z.string().min(1),
  short_name: z.string().min(1),
  id: z.literal('/'),
  start_url: z.literal('/'),
  scope: z.literal('/'),
  display: z.enum(['standalone', 'minimal-ui', 'fullscreen', 'browser']),
  background_color: z.string().regex(/^#[0-9a-f]{6}$/),
  theme_color: z.string().regex(/^#[0-9a-f]{6}$/),
  icons: z.array(
    z.strictObject({
      src: z.string().startsWith('/'),
      sizes: z.string().regex(/^\d+x\d+$/),
      type: z.literal('image/png'),
      purpose: z.enum(['any', 'maskable', 'monochrome']),
    }),
  ),
})
