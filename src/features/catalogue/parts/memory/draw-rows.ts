import { newRows, type ShownRow } from './mark-new.ts'

/*
 * Drawings in the rows of a list for its reader. The rows are text that the server has written for everybody
 * (`list/entry-html.ts`); all of this comes after it, and nothing of it is kept.
 */

const svg = 'http://www.w3.org/2000/svg'

/** Marks what is new to the reader in place of what is new to everybody, and draws the divider. */
export function drawNew(
  root: HTMLElement,
  rows: readonly ShownRow[],
  known: { day: string; fresh: ReadonlySet<string> | undefined },
  { isOldestFirst, newLabel }: { isOldestFirst: boolean; newLabel: string },
): void {
  for (const former of root.querySelectorAll('.since')) former.remove()
  const links = [...root.querySelectorAll<HTMLAnchorElement>('.entries li > a')]
  // Another list is on its way.
  if (links.length !== rows.length) return
  const { isNew, divider } = newRows(rows, known, isOldestFirst)
  for (const [index, link] of links.entries()) markRow(link, isNew[index] === true, newLabel)
  const row = divider === undefined ? undefined : links[divider]?.closest('li')
  if (row != null) placeDivider(row, isOldestFirst)
}

function markRow(link: HTMLAnchorElement, isNew: boolean, newLabel: string): void {
  const mark = link.querySelector(':scope > b')
  if (isNew && mark === null) {
    const made = document.createElement('b')
    made.textContent = newLabel
    link.querySelector(':scope > span')?.after(made)
  }
  // A mark of another kind stays.
  if (!isNew && mark?.textContent === newLabel) mark.remove()
}

/** Over the day, where one begins with the row: its heading belongs to what follows. */
function placeDivider(row: HTMLLIElement, isOldestFirst: boolean): void {
  const section = row.closest('section')
  const beginsDay = section?.querySelector('li') === row
  const divider = document.createElement(beginsDay ? 'div' : 'li')
  divider.className = 'since'
  const words = document.createElement('span')
  words.textContent = 'New since your last visit'
  const arrow = document.createElement('span')
  arrow.ariaHidden = 'true'
  arrow.textContent = isOldestFirst ? '↓ ' : '↑ '
  const where = document.createElement('span')
  where.className = 'sr-only'
  where.textContent = isOldestFirst ? ': from here on' : ': up to here'
  words.prepend(arrow)
  words.append(where)
  divider.append(words)
  if (beginsDay) section?.prepend(divider)
  else row.before(divider)
}

/** The slug at the end of a row's address. */
export function slugOfRow(row: Element | null | undefined): string | undefined {
  return row?.querySelector('a')?.pathname.split('/').at(-1)
}

/** Puts a button into each of these rows that has none. It is reached by Tab from the row that has the focus. */
export function addButtons(rows: Iterable<Element>, saved: ReadonlySet<string>): void {
  for (const row of rows) {
    const link = row.querySelector(':scope > a')
    if (link === null || row.querySelector(':scope > .row-save') !== null) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'row-save'
    button.tabIndex = -1
    button.setAttribute('aria-label', `Save ${link.querySelector('span')?.textContent.replaceAll('\t', ' ') ?? ''}`)
    const drawing = document.createElementNS(svg, 'svg')
    drawing.setAttribute('viewBox', '0 0 20 20')
    drawing.setAttribute('aria-hidden', 'true')
    const path = document.createElementNS(svg, 'path')
    path.setAttribute('d', 'M6 3h8v14l-4-3.5L6 17Z')
    drawing.append(path)
    button.append(drawing)
    row.append(button)
    drawSaved(row, saved)
  }
}

export function drawSaved(row: Element, saved: ReadonlySet<string>): void {
  const slug = slugOfRow(row)
  row.querySelector('.row-save')?.setAttribute('aria-pressed', String(slug !== undefined && saved.has(slug)))
}
