import { counted } from './counted.ts'

/** Waiting work is counted up to one more than a thousand: beyond that nobody counts. */
export const mostCounted = 1_001

/** '12', 'More than 1,000' of a count that stops at `mostCounted`. */
export function upToThousand(count: number): string {
  return count >= mostCounted ? 'More than 1,000' : count.toLocaleString('en-US')
}

/** '12 notices', 'More than 1,000 notices' of a count that stops at `mostCounted`. */
export function countedToThousand(count: number, one: string, several = `${one}s`): string {
  return `${upToThousand(count)} ${count === 1 ? one : several}`
}

/** '4 more notices', and where the count stopped, nobody knows how many more: 'More than 1,000 notices in all'. */
export function moreToThousand(count: number, shown: number, one: string, several = `${one}s`): string {
  return count >= mostCounted
    ? `${countedToThousand(count, one, several)} in all`
    : counted(count - shown, `more ${one}`, `more ${several}`)
}
