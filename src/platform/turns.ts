interface Waiting {
  /** Its group of those who share the room. */
  readonly group: string
  /** @param leave how to leave later; undefined where it waits in vain */
  end(leave: (() => void) | undefined): void
}

interface Room {
  inside: number
  /** How many of each group are inside; a group of which nobody is has no number. */
  insideOf: Map<string, number>
  /** Those who go first, and all others: while both wait, they are let in by turns. */
  lanes: { first: Waiting[]; usual: Waiting[] }
  lastLane: Lane
}

type Lane = 'first' | 'usual'

/**
 * Lets a few in at once for each key, in two lanes: neither fills up the other. The next in a lane is the group with
 * the fewest inside, and among equals the first: many of one group wait behind one of another. Every waiting group has
 * nobody inside sooner or later, so none waits for ever. An unused key takes no memory.
 */
export class Turns {
  readonly #rooms = new Map<string, Room>()

  /**
   * Without a wait.
   * @param group who shares a turn with others; without groups all are equal
   * @returns how to leave; undefined where there is no room at this moment
   */
  enterNow(key: string, max: number, group = ''): (() => void) | undefined {
    const room = this.#rooms.get(key) ?? newRoom()
    if (room.inside >= max) return undefined
    this.#rooms.set(key, room)
    room.inside += 1
    return this.#begin(key, room, group)
  }

  /**
   * @param max how many may be inside at once
   * @param maxWaiting how many may wait for it in a lane. Beyond, whoever came last of the group with the most in line goes,
   * where the newcomer's group has at least two fewer
   * @param withinMs how long anybody waits
   * @returns how to leave; undefined when there is no room within that time
   */
  enter(
    key: string,
    {
      max,
      maxWaiting,
      withinMs,
      lane = 'usual',
      group = '',
    }: { max: number; maxWaiting: number; withinMs: number; lane?: Lane; group?: string },
  ): Promise<(() => void) | undefined> {
    const atOnce = this.enterNow(key, max, group)
    if (atOnce !== undefined) return Promise.resolve(atOnce)
    // Everybody inside keeps the room.
    const room = this.#rooms.get(key) as Room
    const line = room.lanes[lane]
    if (line.length >= maxWaiting && !makeRoom(line, group)) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const waiting: Waiting = {
        group,
        end(leave) {
          clearTimeout(timer)
          resolve(leave)
        },
      }
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1)
        resolve(undefined)
      }, withinMs)
      line.push(waiting)
    })
  }

  /** Counts one who is inside from now on. @returns how to leave */
  #begin(key: string, room: Room, group: string): () => void {
    room.insideOf.set(group, (room.insideOf.get(group) ?? 0) + 1)
    return () => this.#leave(key, room, group)
  }

  /** A caller that leaves passes its place on. */
  #leave(key: string, room: Room, group: string): void {
    const rest = (room.insideOf.get(group) ?? 0) - 1
    if (rest > 0) room.insideOf.set(group, rest)
    else room.insideOf.delete(group)
    const { first, usual } = room.lanes
    const isFirst = first.length > 0 && (room.lastLane === 'usual' || usual.length === 0)
    room.lastLane = isFirst ? 'first' : 'usual'
    const next = takeNext(isFirst ? first : usual, room.insideOf)
    if (next !== undefined) next.end(this.#begin(key, room, next.group))
    else if (room.inside > 1) room.inside -= 1
    else this.#rooms.delete(key)
  }
}

function newRoom(): Room {
  return { inside: 0, insideOf: new Map(), lanes: { first: [], usual: [] }, lastLane: 'usual' }
}

function takeNext(line: Waiting[], insideOf: ReadonlyMap<string, number>): Waiting | undefined {
  let place = 0
  let fewest = Infinity
  for (const [i, { group }] of line.entries()) {
    const inside = insideOf.get(group) ?? 0
    if (inside < fewest) [place, fewest] = [i, inside]
    if (fewest === 0) break
  }
  return line.splice(place, 1)[0]
}

/** Lets one go who waits, of the group with the most in line. @returns false where that one has a better right than the newcomer */
function makeRoom(line: Waiting[], newcomer: string): boolean {
  const inLine = new Map<string, number>()
  for (const { group } of line) inLine.set(group, (inLine.get(group) ?? 0) + 1)
  const most = Math.max(0, ...inLine.values())
  if (most < (inLine.get(newcomer) ?? 0) + 2) return false
  const place = line.findLastIndex(({ group }) => inLine.get(group) === most)
  line.splice(place, 1)[0]?.end(undefined)
  return true
}
