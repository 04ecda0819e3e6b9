import { xmlElement, xmlText } from '../../../platform/xml.ts'
import type { Feed, FeedEntry } from './feed.ts'

export const rssType = 'application/rss+xml; charset=utf-8'

/** A feed as RSS 2.0. */
export function writeRss({ title, description, home, self, entries }: Feed): string {
  const [newest] = entries
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">',
    '<channel>',
    xmlElement('title', title),
    xmlElement('link', home),
    xmlElement('description', description),
    self === undefined ? '' : `<atom:link href="${xmlText(self)}" rel="self" type="application/rss+xml"/>`,
    xmlElement('pubDate', newest && inRfc822(newest.postedAt)),
    ...entries.map(writeItem),
    '</channel>',
    '</rss>',
    '',
  ].join('\n')
}

function writeItem({ url, title, creators, paragraphs, category, tags, image, postedAt }: FeedEntry): string {
  // The text is read as HTML: it is spelled as HTML first, and then as XML.
  const html = paragraphs.map((text) => `<p>${xmlText(text).replaceAll('\n', '<br>')}</p>`).join('')
  return [
    '<item>',
    xmlElement('title', title),
    xmlElement('link', url),
    `<guid isPermaLink="true">${xmlText(url)}</guid>`,
    xmlElement('pubDate', inRfc822(postedAt)),
    ...creators.map((name) => xmlElement('dc:creator', name)),
    ...[category, ...tags].map((name) => xmlElement('category', name)),
    xmlElement('description', html),
    image === undefined ? '' : `<media:content url="${xmlText(image.url)}" type="${image.mediaType}" medium="image"/>`,
    '</item>',
  ].join('')
}

/** `Fri, 01 Mar 2024 00:00:00 GMT` */
function inRfc822(at: string): string {
  return new Date(at).toUTCString()
}
