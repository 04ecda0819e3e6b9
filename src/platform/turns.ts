interface Room {
  inside: number
  waiting: { acquire(): void }[]
}

/** Lets a few in at once for each key, in the order in which they came. A key that nobody uses takes no memory. */
export class Turns {
  readonly #rooms = new Map<string, Room>()

  /**
   * @param most how many may be inside at once
   * @param maxWaiting how many may wait for it
   * @param withinMs how long anybody waits
   * @returns how to leave; undefined when there is no room within that time
   */
  async enter(
    key: string,
    { max, maxWaiting, withinMs }: { max: number; maxWaiting: number; withinMs: number },
  ): Promise<(() => void) | undefined> {
    const room = this.#rooms.get(key) ?? { inside: 0, waiting: [] }
    this.#rooms.set(key, room)
    const leave = (): void => this.#leave(key, room)
    if (room.inside < max) {
      room.inside += 1
      return leave
    }
    if (room.waiting.length >= maxWaiting) return undefined
    const isAdmitted = await new Promise<boolean>((resolve) => {
      const waiting = {
        // A caller that leaves passes its place on.
        acquire() {
          clearTimeout(timer)
          resolve(true)
        },
      }
      const timer = setTimeout(() => {
        room.waiting.splice(room.waiting.indexOf(waiting), 1)
        resolve(false)
      }, withinMs)
      room.waiting.push(waiting)
    })
    return isAdmitted ? leave : undefined
  }

  #leave(key: string, room: Room): void {
    const next = room.waiting.shift()
    if (next !== undefined) next.acquire()
    else if (room.inside > 1) room.inside -= 1
    else this.#rooms.delete(key)
  }
}
