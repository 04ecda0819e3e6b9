import { escapeHtml } from '../../../../platform/escape-html.ts'
import type { ContentType } from '../../item/content-type.ts'
import type { ItemRow } from '../../item/listing.ts'
import { freeShelves } from '../../shelves/free-shelves.ts'
import type { RowLook, Shelf } from '../../shelves/shelf.ts'
import { type Block, type DayGroup, longDay, monthsOf, weekdayOf, wordsOfDay, wordsOfMonth } from './by-day.ts'
import { isPlain, languageOf } from './language-of.ts'

/*
 * Rows are written as text and not as elements: a page holds hundreds of them, they have no state and no handlers of
 * their own, and neither the server nor a phone should build and compare two thousand elements for them. Everything
 * that is not written here passes `escaped`.
 */

/** A free type has the name of its shelf. */
const shelves: Partial<Record<ContentType, Shelf>> = freeShelves

/** Names longer than this may be cut, but never in their telling part. */
const longName = 40

/** The length of the end of a name in which the number of a volume or part is looked for. */
const longestTail = 48

const beforeCount = /( [-–—]|[,.:;]) [^–—,.:;]*?(\p{N}|\b[IVXLC]+\b)|[，：、][^，：、]*?\p{N}/u

/**
 * The beginning of the telling part of a name: after the last dash, mostly the creator, and before that the number of a
 * volume or a part. The length of a name without such a part.
 */
export function tellingPartOf(name: string): number {
  const dash = Math.max(...[' - ', ' – ', ' — ', '——'].map((each) => name.lastIndexOf(each)))
  const end = name.slice(-longestTail)
  const found = beforeCount.exec(end)
  // A comma stays with what it ends; a dash goes with what it begins.
  const count = found === null ? -1 : name.length - end.length + found.index + (found[0].startsWith(' ') ? 0 : 1)
  const starts = [dash, count].filter((start) => start > 0)
  return starts.length === 0 ? name.length : Math.min(...starts)
}

/** A stretch of a text, with what matched a search marked. */
function markedHtml(text: string, marks: readonly number[] = [], from = 0, to = text.length): string {
  let html = ''
  let at = from
  for (let i = 0; i < marks.length; i += 2) {
    const start = Math.max(marks[i] as number, at)
    const end = Math.min(marks[i + 1] as number, to)
    if (start >= end) continue
    html += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`
    at = end
  }
  return html + escapeHtml(text.slice(at, to))
}

/** A name. The telling part of a long one stands apart, so that only the part before it can be cut. */
function nameHtml(name: string, marks: readonly number[] | undefined): string {
  if (name.length <= longName) return marks === undefined ? escapeHtml(name) : `<b>${markedHtml(name, marks)}</b>`
  const start = tellingPartOf(name)
  const end = markedHtml(name, marks, start)
  return `<i>${markedHtml(name, marks, 0, start)}</i>${end === '' ? '' : `<b>${end}</b>`}`
}

/**
 * A day with its entries, block by block. The heading reads 'March 05, 2024'; that a page shows only the day of it, with
 * the weekday, is the style sheet's business.
 */
export function dayHtml({ day, blocks }: DayGroup, newest: number, look: RowLook): string {
  const list = blocks.map((block) => blockHtml(block, newest, look)).join('')
  if (day === undefined) return `<h2>Best match</h2>${list}`
  const words = wordsOfDay(day)
  const { headingPrefix: prefix = '' } = look
  if (words === undefined) return `<h2>${prefix}Invalid Date</h2>${list}`
  // With words before it, the date is in its long form; the nought is for the eye alone (`vip-list.css`).
  const date = prefix === '' ? words.day : words.day.replace(/^0/, '<i></i>')
  return `<h2 data-day=${weekdayOf(day)}>${prefix}${words.month} <b>${date}</b>, ${words.year}</h2>${list}`
}

export function daysHtml(days: readonly DayGroup[], newest: number, look: RowLook): string {
  return monthsOf(days)
    .map((group) => {
      const inMonth = group.days.map((day) => `<section>${dayHtml(day, newest, look)}</section>`).join('')
      const words = wordsOfMonth(group.month)
      if (words === undefined) return `<div>${inMonth}</div>`
      return `<div><p class="folio" aria-hidden="true">${words.month} <b>${words.year}</b></p>${inMonth}</div>`
    })
    .join('')
}

/** A block of a day. The first `newest` entries of the whole list are marked as new. */
export function blockHtml({ rows, before, isDated }: Block, newest: number, look: RowLook): string {
  return `<ul>${entriesHtml(rows, newest - before, look, isDated)}</ul>`
}

/** The items of one list element, the first `fresh` of them marked as new. */
export function entriesHtml(rows: readonly ItemRow[], fresh: number, look: RowLook, isDated = false): string {
  return rows.map((row, place) => entryHtml(row, place < fresh, look, isDated)).join('')
}

/** Elements end where the next begins, and values stand without quotes, where HTML has it so: a page has hundreds of them. */
function entryHtml(row: ItemRow, isNew: boolean, { pathOf, newLabel, chipOf }: RowLook, isDated: boolean): string {
  const { contentType, name } = row
  const typeName = shelves[contentType]?.name
  const mark = row.vipFirst === true ? 'VIP first' : isNew ? newLabel : ''
  const chip = chipOf?.(row)
  return (
    `<li><a class=${typeName === undefined ? 'vip' : contentType} href="${escapeHtml(pathOf(row))}">` +
    `<span${isPlain(name) ? '' : scriptHtml(name)}>${nameHtml(name, row.marks?.name)}${furtherHtml(row)}</span>` +
    `${mark === '' ? '' : `<b>${mark}</b>`}<i>${typeName ?? 'VIP'}</i>` +
    `${chip === undefined ? '' : `<em>${chip}</em>`}<small>${escapeHtml(row.category)}${isDated ? ` <time>${longDay(row.day)}</time>` : ''}</small></a>`
  )
}

/** Texts behind the name, each behind a tab: it shows as a blank, and is in no text (`rows-on-page.ts`). */
function furtherHtml({ creators, alsoKnownAs, marks }: ItemRow): string {
  const first = creators === undefined ? '' : `\t<small>${markedHtml(creators, marks?.creators)}</small>`
  if (alsoKnownAs === undefined) return first
  return `${first || '\t'}\t<em>${markedHtml(alsoKnownAs, marks?.alsoKnownAs)}</em>`
}

/** The attributes for the script of a name that is not in Latin script alone. */
function scriptHtml(name: string): string {
  const language = languageOf(name)
  return (language ? ` lang=${language}` : '') + (rightToLeft.test(name) ? ' dir=rtl' : '')
}

const rightToLeft = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u
