interface Waiting {
  acquire(): void
}

interface Room {
  inside: number
  /** Those who go first, and all others: while both wait, they are let in by turns. */
  lanes: { first: Waiting[]; usual: Waiting[] }
  lastLane: Lane
}

type Lane = 'first' | 'usual'

/**
 * Lets a few in at once for each key, in the order in which they came, in two lanes: neither fills up the other. A key that
 * nobody uses takes no memory.
 */
export class Turns {
  readonly #rooms = new Map<string, Room>()

  /**
   * Without a wait.
   * @returns how to leave; undefined where there is no room at this moment
   */
  enterNow(key: string, max: number): (() => void) | undefined {
    const room = this.#rooms.get(key) ?? { inside: 0, lanes: { first: [], usual: [] }, lastLane: 'usual' }
    if (room.inside >= max) return undefined
    this.#rooms.set(key, room)
    room.inside += 1
    return () => this.#leave(key, room)
  }

  /**
   * @param max how many may be inside at once
   * @param maxWaiting how many may wait for it in a lane
   * @param withinMs how long anybody waits
   * @returns how to leave; undefined when there is no room within that time
   */
  async enter(
    key: string,
    { max, maxWaiting, withinMs, lane = 'usual' }: { max: number; maxWaiting: number; withinMs: number; lane?: Lane },
  ): Promise<(() => void) | undefined> {
    const atOnce = this.enterNow(key, max)
    if (atOnce !== undefined) return atOnce
    // Whoever is inside keeps the room.
    const room = this.#rooms.get(key) as Room
    const line = room.lanes[lane]
    if (line.length >= maxWaiting) return undefined
    const isAdmitted = await new Promise<boolean>((resolve) => {
      const waiting = {
        // A caller that leaves passes its place on.
        acquire() {
          clearTimeout(timer)
          resolve(true)
        },
      }
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1)
        resolve(false)
      }, withinMs)
      line.push(waiting)
    })
    return isAdmitted ? () => this.#leave(key, room) : undefined
  }

  #leave(key: string, room: Room): void {
    const { first, usual } = room.lanes
    const isFirst = first.length > 0 && (room.lastLane === 'usual' || usual.length === 0)
    room.lastLane = isFirst ? 'first' : 'usual'
    const next = (isFirst ? first : usual).shift()
    if (next !== undefined) next.acquire()
    else if (room.inside > 1) room.inside -= 1
    else this.#rooms.delete(key)
  }
}
