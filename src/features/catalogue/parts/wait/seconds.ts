/** '1 second', '5 seconds'. */
export function inSeconds(count: number): string {
  return `${count} ${count === 1 ? 'second' : 'seconds'}`
}

/**
 * How many whole seconds are left of those that the server has told with a page.
 * @param timing the clock of the page and what it knows of its own loading
 */
export function secondsUntil(seconds: number, timing: Pick<Performance, 'now' | 'getEntriesByType'>): number {
  const [navigation] = timing.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const passedMs = timing.now() - (navigation?.responseStart ?? 0)
  return Math.max(0, Math.ceil(seconds - passedMs / 1_000))
}
