import { isDay } from '../../../platform/time/site-time.ts'
import { isWebAddress } from '../../../platform/web-address.ts'
import type { Appearance } from './appearance-schema.ts'
import { colouredShelves, measure, paletteOf, shelfNames } from './palette.ts'

export const appearanceKey = 'site.appearance'

export const noAppearance: Appearance = {
  colours: { asian: '', western: '', unknown: '', vip: '' },
  links: [],
  banner: { text: '', to: '', from: '', until: '' },
  mark: '',
  hidesName: false,
}

export const mostLinks = 3
export const maxMarkBytes = 2 * 1024 * 1024
const longestLabel = 24
const longestBanner = 200
const longestAddress = 500

export interface AppearanceFault {
  /** The path of the field: `banner.text`. */
  field: string
  message: string
}

/** Marks that turn the direction of writing could turn what follows on the page. */
const unwanted = /[\p{Bidi_Control}\p{Cc}]/u

/** The first rule that an appearance does not keep. The browser and the server ask the same. */
export function faultOfAppearance({
  colours,
  links,
  banner,
  mark,
  hidesName,
}: Appearance): AppearanceFault | undefined {
  for (const shelf of colouredShelves) {
    const message = faultOfColour(shelf, colours[shelf])
    if (message !== undefined) return { field: `colours.${shelf}`, message }
  }
  if (links.length > mostLinks) return { field: 'links', message: `The header has room for ${mostLinks} more links.` }
  for (const [place, { label, to }] of links.entries()) {
    const field = `links.${place}`
    if (label === '') return { field: `${field}.label`, message: 'A link needs its words.' }
    const message = faultOfLine(label, longestLabel)
    if (message !== undefined) return { field: `${field}.label`, message }
    if (!isTarget(to)) return { field: `${field}.to`, message: targetRule }
  }
  const ofText = faultOfLine(banner.text, longestBanner)
  if (ofText !== undefined) return { field: 'banner.text', message: ofText }
  if (banner.to !== '' && !isTarget(banner.to)) return { field: 'banner.to', message: targetRule }
  for (const name of ['from', 'until'] as const)
    if (banner[name] !== '' && !isDay(banner[name])) return { field: `banner.${name}`, message: 'This is no day.' }
  if (banner.from !== '' && banner.until !== '' && banner.from > banner.until)
    return { field: 'banner.until', message: 'It ends before it begins.' }
  if (hidesName && mark === '') return { field: 'hidesName', message: 'Without a mark, the name has to stand there.' }
  return undefined
}

function faultOfColour(shelf: (typeof colouredShelves)[number], hex: string): string | undefined {
  if (hex === '') return undefined
  if (!/^#[0-9a-f]{6}$/.test(hex)) return 'Write a colour like #7a3fb0.'
  const low = measure(shelf, paletteOf(shelf, hex)).find(({ ratio, least }) => ratio < least)
  if (low === undefined) return undefined
  return `${shelfNames[shelf]}: ${low.what} would have ${low.ratio.toFixed(1)} : 1 in the ${low.theme} theme; ${low.least} : 1 is needed.`
}

function faultOfLine(text: string, longest: number): string | undefined {
  if (unwanted.test(text)) return 'It holds characters that cannot be shown.'
  return [...text].length > longest ? `It has at most ${longest} characters.` : undefined
}

const targetRule = 'Write a page of this site like /plans, or an http or https address.'

function isTarget(to: string): boolean {
  if (to.length > longestAddress || unwanted.test(to) || /[\s\\]/.test(to)) return false
  if (to.startsWith('/')) return !to.startsWith('//')
  return isWebAddress(to)
}
