import type { SiteTexts } from '../../office/texts/site-texts.server.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { type Appearance } from './appearance-schema.ts'
import { appearanceKey } from './appearance.ts'
import { colourSheet } from './palette.ts'

/** The part of a changed appearance that every page shows. */
export interface Look {
  sheet: string
  mark?: { src: string; hidesName: boolean }
  links: readonly { label: string; to: string; isOutside: boolean }[]
  announcement?: { id: string; text: string; to: string }
}

/** The saved appearance; undefined while it is the house's own. */
export function storedAppearance(texts: Pick<SiteTexts, 'get'>): Appearance | undefined {
  const text = texts.get(appearanceKey)
  return text === '' ? undefined : (JSON.parse(text) as Appearance)
}

/** The look of a page that is written now. A page is kept until midnight at the most, where days begin and end. */
export function lookOf(texts: Pick<SiteTexts, 'get'>, now: number, timeZone: string): Look | undefined {
  const stored = storedAppearance(texts)
  if (stored === undefined) return undefined
  const { mark, hidesName, links, banner } = stored
  const today = dayOf(now, timeZone)
  const isOn =
    banner.text !== '' && (banner.from === '' || banner.from <= today) && (banner.until === '' || banner.until >= today)
  return {
    sheet: `/appearance.css?v=${sheetOf(stored).version}`,
    ...(mark === '' ? {} : { mark: { src: markAddress(mark), hidesName } }),
    links: links.map(({ label, to }) => ({ label, to, isOutside: !to.startsWith('/') })),
    ...(isOn ? { announcement: { id: bannerId(banner), text: banner.text, to: banner.to } } : {}),
  }
}

export function markAddress(mark: string): string {
  return `/marks/${mark}.webp`
}

/** The style sheet of an appearance, and its version, which no other sheet has. */
export function sheetOf({ colours, banner }: Pick<Appearance, 'colours' | 'banner'>): {
  text: string
  version: string
} {
  // An announcement that was closed never flashes.
  const text = `${colourSheet(colours)}body[data-closed="${bannerId(banner)}"] .announcement{display:none}`
  return { text, version: sumOf(text) }
}

/** Another one for every other banner: who has closed one sees the next. */
export function bannerId({ text, to, from }: Appearance['banner']): string {
  return sumOf(`${from} ${to} ${text}`)
}

function sumOf(text: string): string {
  let sum = 7
  for (const letter of text) sum = (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return sum.toString(36)
}
