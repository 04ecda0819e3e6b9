import { xmlElement, xmlText } from '../../../platform/xml.ts'

/** The format allows no more (OpenSearch 1.1). */
const longest = { shortName: 16, longName: 48, description: 1_024 }

/** `/opensearch.xml`: the search of the site, for the search field of a browser. A text is looked for in every free list. */
export function openSearchText({ brand, publicUrl }: { brand: string; publicUrl: string }): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
    xmlElement('ShortName', beginning(brand, longest.shortName)),
    xmlElement('LongName', beginning(brand, longest.longName)),
    xmlElement('Description', beginning(`Search the entries of ${brand}.`, longest.description)),
    '<InputEncoding>UTF-8</InputEncoding>',
    `<Image height="192" width="192" type="image/png">${xmlText(publicUrl)}/icons/192.png</Image>`,
    `<Image height="16" width="16" type="image/x-icon">${xmlText(publicUrl)}/favicon.ico</Image>`,
    `<Url type="text/html" method="get" template="${xmlText(publicUrl)}/asian?search={searchTerms}"/>`,
    `<Url type="application/rss+xml" template="${xmlText(publicUrl)}/feeds/all.rss?search={searchTerms}"/>`,
    '</OpenSearchDescription>',
    '',
  ].join('\n')
}

function beginning(text: string, length: number): string {
  return Array.from(text).slice(0, length).join('').trim()
}
