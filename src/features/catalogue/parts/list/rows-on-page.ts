import { type ItemRow, rowOfTexts } from '../../item/listing.ts'

let rows: ItemRow[] | undefined

/**
 * The rows of a free list as `entry-html.ts` has written them on this page, which need not carry them once more. Those of
 * a search differ: they have marks. They are read once, before anything on the page changes.
 * @param days of the headings, in turn
 */
export function rowsOnPage(days: readonly string[]): ItemRow[] {
  rows ??= [...document.querySelectorAll('#entries section')].flatMap((section, index) =>
    [...section.querySelectorAll('a')].map((link) => {
      const [name = '', ...further] = (link.firstChild as Element).textContent.split('\t')
      const { textContent: category } = link.lastChild as Element
      return rowOfTexts([
        name,
        link.pathname.split('/')[2] as string,
        category,
        link.className,
        days[index] as string,
        ...further,
      ])
    }),
  )
  return rows
}
