import { type ContentType, isVipType, itemPath } from '../content-type.ts'
import type { ItemRow } from '../listing.ts'
import { type DayGroup, wordsOfDay } from './by-day.ts'
import { languageOf } from './language-of.ts'

/*
 * Rows are written as text and not as elements: a page holds hundreds of them, they have no state and no handlers of
 * their own, and neither the server nor a phone should build and compare two thousand elements for them. Everything
 * that is not written here passes `escaped`.
 */

const typeNames: Record<ContentType, string> = {
  asian: 'Asian',
  western: 'Western',
  banned: 'Banned',
  unknown: 'Unknown',
  vip: 'VIP',
  'vip-asian': 'VIP',
  'vip-western': 'VIP',
  'vip-banned': 'VIP',
  'vip-unknown': 'VIP',
}

/** Names longer than this may be cut: the whole name stands in the title. */
const longName = 40

/**
 * A day with its entries. The heading reads 'March 05, 2024'; that the spine of a wide page shows the day large is the
 * style sheet's business.
 */
export function dayHtml({ day, rows }: DayGroup, fresh: number): string {
  const words = wordsOfDay(day)
  const heading = words === undefined ? 'Invalid Date' : `${words.month} <b>${words.day}</b><i>, </i>${words.year}`
  return `<h2>${heading}</h2><ul>${entriesHtml(rows, fresh)}</ul>`
}

/** The items of one list element, the first `fresh` of them marked as new. */
export function entriesHtml(rows: readonly ItemRow[], fresh: number): string {
  let html = ''
  for (let i = 0; i < rows.length; i += 1) html += entryHtml(rows[i] as ItemRow, i < fresh)
  return html
}

function entryHtml(row: ItemRow, isNew: boolean): string {
  const { contentType } = row
  const name = escaped(row.name)
  const language = languageOf(row.name)
  return (
    `<li><a class="${isVipType(contentType) ? 'vip' : contentType}" href="${escaped(itemPath(row))}"` +
    `${row.name.length > longName ? ` title="${name}"` : ''}>` +
    `<span${language === undefined ? '' : ` lang="${language}"`}${isRightToLeft(row.name) ? ' dir="rtl"' : ''}>${name}</span>` +
    `${isNew ? '<b>NEW</b>' : ''}<i>${typeNames[contentType]}</i><small>${escaped(row.category)}</small></a></li>`
  )
}

const special = /[&<>"']/
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text that is safe inside an element and inside a quoted attribute. */
function escaped(text: string): string {
  return special.test(text) ? text.replace(/[&<>"']/g, (character) => entities[character] as string) : text
}

/** Latin, Greek, Cyrillic and everything before them runs to the right. */
const onlyLeftToRight = /^[\u0000-\u058f]*$/

function isRightToLeft(name: string): boolean {
  return !onlyLeftToRight.test(name) && /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(name)
}
