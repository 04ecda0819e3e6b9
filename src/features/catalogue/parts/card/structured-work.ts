import type { ItemDetail } from '../../item/listing.ts'

/** An item as schema.org has it: the year is that of the work, the date of publication that of the entry. */
export function structuredWork(item: ItemDetail, { url, image }: { url: string; image: string }) {
  const { creators, language, series, seriesNumber, tags, alsoKnownAs, year, rights } = item
  const work = {
    '@type': 'CreativeWork',
    name: item.name,
    alternateName: alsoKnownAs,
    author: creators?.map((name) => ({ '@type': 'Person', name })),
    description: item.description,
    inLanguage: language,
    dateCreated: year === undefined ? undefined : isoYear(year),
    datePublished: item.day,
    genre: item.category,
    keywords: tags,
    isPartOf: series === undefined ? undefined : { '@type': 'CreativeWorkSeries', name: series },
    position: seriesNumber,
    license: rights.licenceUrl ?? undefined,
    copyrightHolder: rights.holder === null ? undefined : { '@type': 'Organization', name: rights.holder },
    url,
    image,
    isAccessibleForFree: true,
  }
  return Object.fromEntries(Object.entries(work).filter(([, value]) => value !== undefined))
}

/** Four digits. ISO 8601 counts a year 0: 380 BC, the year -380 of a work, is -0379. */
function isoYear(year: number): string {
  const counted = year < 0 ? year + 1 : year
  return `${counted < 0 ? '-' : ''}${String(Math.abs(counted)).padStart(4, '0')}`
}
