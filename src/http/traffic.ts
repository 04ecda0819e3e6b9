import type { Sample } from '../platform/metrics/metric.ts'
import type { CachedResponse } from './cache/cached-response.ts'

const bounds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Callers choose the method: others than these are one. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

/** The answers of one method, route and status, by their duration; the last has no bound. */
interface Tally {
  labels: { method: string; route: string; status: string }
  counts: number[]
  seconds: number
}

/** How often a finished answer has gone out whole, and as unchanged. */
export interface FinishedTally {
  whole: number
  unchanged: number
}

/** The requests that were answered, by the pattern of their route: no label is an address (docs/spec/operations.md#metrics). */
export class Traffic {
  readonly #tallies = new Map<string, Tally>()
  readonly #finished = new Map<string, FinishedTally>()

  /** @param status undefined where the caller has gone before the answer */
  observe(method: string, route: string, status: number | undefined, seconds: number): void {
    const tally = this.#tally(method, route, status === undefined ? 'closed' : String(status))
    const at = bounds.findIndex((bound) => seconds <= bound)
    add(tally, at < 0 ? bounds.length : at, 1)
    tally.seconds += seconds
  }

  /** Counts a finished answer to a GET: it goes out at once, so its time is that of its turn alone. */
  finished(answer: CachedResponse, status: number, routeOf: () => string): void {
    const tally = (answer.tally ??= this.#finishedTally(routeOf()))
    if (status === 304) tally.unchanged += 1
    else tally.whole += 1
  }

  samples(name: string): Sample[] {
    for (const [route, tally] of this.#finished) {
      this.#addFinished('200', route, tally.whole)
      this.#addFinished('304', route, tally.unchanged)
      tally.whole = 0
      tally.unchanged = 0
    }
    return [...this.#tallies.values()].flatMap(({ labels, counts, seconds }) => {
      let sum = 0
      const buckets = [...bounds, '+Inf'].map((le, i) => ({
        metricName: `${name}_bucket`,
        labels: { ...labels, le },
        value: (sum += counts[i] ?? 0),
      }))
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: seconds },
        { metricName: `${name}_count`, labels, value: sum },
      ]
    })
  }

  #addFinished(status: string, route: string, count: number): void {
    if (count > 0) add(this.#tally('GET', route, status), 0, count)
  }

  #tally(method: string, route: string, status: string): Tally {
    const labels = { method: methods.has(method) ? method : 'other', route, status }
    const key = `${labels.method} ${status} ${route}`
    const known = this.#tallies.get(key)
    if (known !== undefined) return known
    const tally = { labels, counts: [...bounds, 0].fill(0), seconds: 0 }
    this.#tallies.set(key, tally)
    return tally
  }

  #finishedTally(route: string): FinishedTally {
    const known = this.#finished.get(route) ?? { whole: 0, unchanged: 0 }
    this.#finished.set(route, known)
    return known
  }
}

function add({ counts }: Tally, at: number, count: number): void {
  counts[at] = (counts[at] ?? 0) + count
}
