/** Gives a permit back. */
export type Release = () => void

/** Callers who wait apart from all others, and all others: the lanes are served by turns. */
export type Lane = 'apart' | 'usual'

interface Waiter {
  readonly group: string
  /** @param release undefined where the wait was in vain */
  end(release: Release | undefined): void
}

/**
 * A few permits. The next free one goes to the group that holds the fewest, and among equals to who came first: many of
 * one group wait behind one of another. Every waiting group holds none sooner or later, so none waits for ever.
 */
export class FairSemaphore {
  readonly #permits: number
  #held = 0
  /** A group that holds none has no number. */
  readonly #heldBy = new Map<string, number>()
  readonly #lanes: Record<Lane, Waiter[]> = { apart: [], usual: [] }
  #lastLane: Lane = 'usual'

  constructor(permits: number) {
    this.#permits = permits
  }

  get held(): number {
    return this.#held
  }

  get waiting(): number {
    return this.#lanes.apart.length + this.#lanes.usual.length
  }

  /** Without a wait; undefined where no permit is free. */
  tryAcquire(group: string): Release | undefined {
    if (this.#held >= this.#permits) return undefined
    this.#held += 1
    return this.#grant(group)
  }

  /**
   * @param options.maxWaiting how many may wait in a lane. Beyond, whoever came last of the group with the most in it goes,
   * where the newcomer's group has at least two fewer
   * @param options.signal ends the wait
   * @returns undefined when none is free within the time
   */
  acquire(
    group: string,
    {
      lane,
      maxWaiting,
      withinMs,
      signal,
    }: { lane: Lane; maxWaiting: number; withinMs: number; signal?: AbortSignal | undefined },
  ): Promise<Release | undefined> {
    const release = this.tryAcquire(group)
    const line = this.#lanes[lane]
    if (release !== undefined || (line.length >= maxWaiting && !makeRoom(line, group))) return Promise.resolve(release)
    return new Promise((resolve) => {
      const waiter: Waiter = {
        group,
        end(later) {
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
          resolve(later)
        },
      }
      const giveUp = (): void => {
        line.splice(line.indexOf(waiter), 1)
        waiter.end(undefined)
      }
      const timer = withinMs === Infinity ? undefined : setTimeout(giveUp, withinMs)
      signal?.addEventListener('abort', giveUp)
      line.push(waiter)
    })
  }

  #grant(group: string): Release {
    this.#heldBy.set(group, (this.#heldBy.get(group) ?? 0) + 1)
    return () => this.#release(group)
  }

  #release(group: string): void {
    const rest = (this.#heldBy.get(group) ?? 0) - 1
    if (rest > 0) this.#heldBy.set(group, rest)
    else this.#heldBy.delete(group)
    const { apart, usual } = this.#lanes
    this.#lastLane = apart.length > 0 && (this.#lastLane === 'usual' || usual.length === 0) ? 'apart' : 'usual'
    const next = takeLowest(this.#lanes[this.#lastLane], (of) => this.#heldBy.get(of) ?? 0)
    if (next === undefined) this.#held -= 1
    else next.end(this.#grant(next.group))
  }
}

/** Takes the first one of the group with the lowest rank, which is 0 or more, out of a line. */
export function takeLowest<T extends { group: string }>(line: T[], rankOf: (group: string) => number): T | undefined {
  let place = 0
  let lowest = Infinity
  for (const [i, { group }] of line.entries()) {
    const rank = rankOf(group)
    if (rank < lowest) [place, lowest] = [i, rank]
    if (lowest === 0) break
  }
  return line.splice(place, 1)[0]
}

/** Ends the wait of one of the group with the most in line. @returns false where that one has a better right than the newcomer */
function makeRoom(line: Waiter[], newcomer: string): boolean {
  const inLine = new Map<string, number>()
  for (const { group } of line) inLine.set(group, (inLine.get(group) ?? 0) + 1)
  const most = Math.max(0, ...inLine.values())
  if (most < (inLine.get(newcomer) ?? 0) + 2) return false
  const place = line.findLastIndex(({ group }) => inLine.get(group) === most)
  line.splice(place, 1)[0]?.end(undefined)
  return true
}
