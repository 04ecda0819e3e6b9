import { dayOf } from '../../../platform/time/site-time.ts'
import type { ItemForReader } from './item-with-links-schema.ts'
import { languageName } from './languages.ts'
import type { MirrorCount } from './link-slots.ts'
import type { ItemDetail, MirrorsOnPage } from './listing.ts'
import { basisName, licenceAddress } from './rights-line.ts'

/** The facts of an item that its page words: its day, languages and rights. */
export function factsOnPage(
  { postDate, language = [], rights }: Pick<ItemForReader, 'postDate' | 'language' | 'rights'>,
  timeZone: string,
): Pick<ItemDetail, 'day' | 'languages' | 'rights'> {
  return {
    day: dayOf(Date.parse(postDate), timeZone),
    languages: language.map(languageName),
    rights: { ...rights, basis: basisName(rights.basis), licenceUrl: licenceAddress(rights.licence) },
  }
}

export function mirrorsOnPage(count: MirrorCount, timeZone: string): MirrorsOnPage {
  return { ...count, checkedDay: count.checkedAt === null ? null : dayOf(Date.parse(count.checkedAt), timeZone) }
}
