import { hasInvisible } from '../../../platform/invisible-characters.ts'
import { isDay } from '../../../platform/time/site-time.ts'
import { isWebAddress } from '../../../platform/web-address.ts'
import type { SiteTextKind } from './site-text.ts'
import { cellsIn, linesIn } from './text-blocks.ts'

interface TextRules {
  label: string
  kind: SiteTextKind
  maxLength: number
  maxLines?: number | null | undefined
  columns?: number | null | undefined
  isOptional?: boolean | undefined
}

const emailPattern = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/
/** Marks that turn the direction of writing could turn what follows on the page. */
const unwanted = /[\p{Bidi_Control}]|(?![\n\r\t])\p{Cc}/u

/** A text as it is stored: without spaces around it, its lists one entry a line. */
export function tidyText(text: string, kind: SiteTextKind): string {
  if (kind === 'document') return text.replaceAll('\r\n', '\n').trim()
  if (kind === 'list') return linesIn(text).join('\n')
  return text.replace(/\s+/g, ' ').trim()
}

/**
 * The first rule that a text does not keep, in a sentence; undefined where it keeps them all. The browser and the server
 * ask the same.
 * @param text as `tidyText` leaves it
 */
export function faultOfText(text: string, rules: TextRules): string | undefined {
  const { label, kind, maxLength, maxLines, columns, isOptional = false } = rules
  if (text === '') return isOptional ? undefined : `${label} is required.`
  if (unwanted.test(text)) return `${label} holds characters that cannot be shown.`
  const longest = Math.max(...(kind === 'list' ? text.split('\n') : [text]).map((part) => [...part].length))
  if (longest > maxLength) {
    const limit = maxLength.toLocaleString('en-US')
    return kind === 'list' ? `A line has at most ${limit} characters.` : `${label} has at most ${limit} characters.`
  }
  if (kind === 'list' && maxLines !== undefined && maxLines !== null && text.split('\n').length > maxLines)
    return `${label} has at most ${maxLines} lines.`
  if (columns !== undefined && columns !== null && !linesIn(text).every((line) => isRow(line, columns)))
    return `Each line has ${columns} parts with | between them, and none is empty.`
  if (kind === 'email' && (!emailPattern.test(text) || hasInvisible(text, { mayJoin: false })))
    return `${label} must be an email address like desk@library.example.`
  if (kind === 'address' && !isWebAddress(text)) return `${label} must be an http or https address.`
  if (kind === 'date' && !isDay(text)) return `${label} must be a day of the calendar, written like 2028-11-30.`
  return undefined
}

function isRow(line: string, columns: number): boolean {
  const cells = cellsIn(line)
  return cells.length === columns && !cells.includes('')
}
