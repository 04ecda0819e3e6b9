/** '1 second', '5 seconds'. */
export function inSeconds(count: number): string {
  return `${count} ${count === 1 ? 'second' : 'seconds'}`
}

/**
 * The whole seconds that are left of the seconds in the server's answer.
 * @param timing the page's clock, and when its answer came
 */
export function secondsUntil(seconds: number, timing: Pick<Performance, 'now' | 'getEntriesByType'>): number {
  const [navigation] = timing.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const passedMs = timing.now() - (navigation?.responseStart ?? 0)
  return Math.max(0, Math.ceil(seconds - passedMs / 1_000))
}
