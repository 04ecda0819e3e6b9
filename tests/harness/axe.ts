import type axe from 'axe-core'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const runOptions: axe.RunOptions = {
  resultTypes: ['violations'],
  // No rule of these needs the style sheets.
  preload: { assets: ['media'] },
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
}

/** How many rows of the same markup axe looks at. */
const copies = 5

interface AxeOptions {
  /** All rows: axe takes seconds for a thousand elements. */
  whole?: boolean
  /** A selector of the only parts that are looked at. */
  within?: string
}

/** Fails with every violation of WCAG 2.2 AA that axe finds on the page as it stands. */
export async function expectAccessible(page: Page, options: AxeOptions = {}): Promise<void> {
  expect(await findViolations(page, options), page.url()).toEqual([])
}

/** The violations of WCAG 2.2 AA on the page as it stands. Axe looks at five rows of the same markup. */
export async function findViolations(page: Page, { whole = false, within }: AxeOptions = {}): Promise<string[]> {
  // No page has frames, and a document that has axe keeps it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(lookAt, { options: runOptions, copies: whole ? Infinity : copies, within })
}

/** In the browser. @returns a text for each violation */
async function lookAt(wanted: {
  options: axe.RunOptions
  copies: number
  within: string | undefined
}): Promise<string[]> {
  // Animations come to their end.
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(ending.map(({ finished }) => finished))

  const looks = /^(class|role|type|data-|aria-(?!label|controls|describedby|owns))/
  const outlineOf = (element: Element): string =>
    [element, ...element.querySelectorAll('*')]
      .map(({ tagName, attributes }) => {
        const words = Array.from(attributes, ({ name, value }) => (looks.test(name) ? `${name}=${value}` : name))
        return [tagName, ...words].join(' ')
      })
      .join()
  const seen = new Map<string, number>()
  const left: HTMLElement[] = []
  for (const row of document.querySelectorAll<HTMLElement>('li, tr, article, dl > div, option')) {
    const isWithin = left.at(-1)?.contains(row) === true
    // A row without visibility loses the keyboard.
    if (isWithin || !row.checkVisibility() || row.contains(document.activeElement)) continue
    const outline = outlineOf(row)
    const count = (seen.get(outline) ?? 0) + 1
    seen.set(outline, count)
    if (count > wanted.copies) left.push(row)
  }
  // The content of a closed element is not looked at, and is most of the reference.
  const closed = Array.from(document.querySelectorAll('details:not([open])'), (details) => ({
    details,
    content: [...details.childNodes].filter((node) => node.nodeName !== 'SUMMARY'),
  }))
  for (const { content } of closed) for (const node of content) node.remove()
  const before = left.map(({ style }) => style.visibility)
  // Takes no room from what is around it.
  for (const { style } of left) style.visibility = 'hidden'
  try {
    const part = wanted.within === undefined ? document : document.querySelectorAll(wanted.within)
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(part, wanted.options)
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n${nodes.map((node) => `  ${node.html}\n  ${node.failureSummary}`).join('\n')}`,
    )
  } finally {
    for (const [place, { style }] of left.entries()) style.visibility = before[place] ?? ''
    for (const { details, content } of closed) details.append(...content)
  }
}
