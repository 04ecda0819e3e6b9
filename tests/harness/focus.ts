import type { Page } from 'playwright'
import { expect } from 'vitest'

interface WatchedFocus {
  /** The controls that are to have the focus, and those that have had it. */
  wanted: Element[]
  had: Element[]
  unseen: Element[]
  /** Whether the focus has come to a control for the second time. */
  isAround: boolean
}

/** In the page: notes from here on where the focus goes, and whether it is seen there. */
function watchFocus(): void {
  const isOutlined = (element: Element | null): boolean => {
    if (element === null) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
  }
  const native = 'a[href], button, input, select, textarea, summary'
  const watch: WatchedFocus = {
    wanted: [...document.querySelectorAll<HTMLElement>(`${native}, [tabindex]`)].filter(
      (one) =>
        // A native control counts even if it was taken out of the way of the Tab key.
        (one.matches(native) || one.tabIndex >= 0) &&
        one.checkVisibility({ visibilityProperty: true }) &&
        !one.matches(':disabled') &&
        // The arrows choose in a group of radio buttons; Tab comes to the chosen one.
        !(one instanceof HTMLInputElement && one.type === 'radio' && !one.checked),
    ),
    had: [],
    unseen: [],
    isAround: false,
  }
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    if (watch.had.includes(target)) watch.isAround = true
    else watch.had.push(target)
    if (!isOutlined(target) && !isOutlined(target.parentElement)) watch.unseen.push(target)
  })
  Object.assign(window, { watch })
}

/** In the page: what was recorded. */
function lookAtFocus() {
  const { wanted, had, unseen, isAround } = (window as unknown as { watch: WatchedFocus }).watch
  const describe = (elements: Element[]) => elements.map(({ outerHTML }) => outerHTML.slice(0, 200))
  return {
    isAround,
    count: wanted.length,
    unseen: describe(unseen),
    missed: describe(wanted.filter((one) => one.isConnected && !had.includes(one))),
  }
}

/**
 * Goes around the page with the Tab key: fails where it does not come to a control, or where the focus is not seen there.
 * @returns how many controls the page has
 */
export async function expectEachControlIsReached(page: Page): Promise<number> {
  await page.evaluate(watchFocus)
  const isAround = () => page.evaluate(() => (window as unknown as { watch: WatchedFocus }).watch.isAround)
  // Past the first control nothing changes any more: it is enough to ask now and then.
  for (let steps = 0; steps < 400 && !(await isAround()); steps += 10)
    for (let step = 0; step < 10; step += 1) await page.keyboard.press('Tab')
  const watched = await page.evaluate(lookAtFocus)
  expect(watched, page.url()).toEqual({ isAround: true, count: expect.any(Number) as number, unseen: [], missed: [] })
  return watched.count
}
