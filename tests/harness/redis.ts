import { Redis } from 'ioredis'
import { connect, createServer, type Server, type Socket } from 'node:net'

const host = '127.0.0.1'
const port = 6379

/** The Redis of this machine; what needs it is skipped where none answers. */
export const redisUrl = `redis://${host}:${port}`

export function redisAnswers(): Promise<boolean> {
  return new Promise((reported) => {
    const socket = connect({ host, port })
    const tell = (answers: boolean): void => {
      socket.destroy()
      reported(answers)
    }
    socket.setTimeout(1_000, () => tell(false))
    socket.on('error', () => tell(false))
    socket.on('data', (data) => tell(data.toString().startsWith('+PONG')))
    socket.on('connect', () => socket.write('PING\r\n'))
  })
}

/** A connection of the test's own. */
export function openRedis(): Redis {
  return new Redis(redisUrl)
}

/** All keys that begin like this. */
export async function keysOf(redis: Redis, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const some of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) keys.push(...(some as string[]))
  return keys
}

export async function deleteKeys(redis: Redis, prefix: string): Promise<void> {
  const keys = await keysOf(redis, prefix)
  if (keys.length > 0) await redis.del(keys)
}

/** A wire to the Redis of this machine, which can be cut and mended, and which can swallow what goes over it. */
export class RedisWire {
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0
  readonly #near = new Set<Socket>()
  #isSilent = false

  get url(): string {
    return `redis://${host}:${this.#port}`
  }

  /** Every connection that was ever begun. */
  begun = 0

  /** How many connections hold at this moment. */
  get holding(): number {
    return this.#near.size
  }

  static async open(): Promise<RedisWire> {
    const wire = new RedisWire()
    await wire.mend()
    return wire
  }

  /** No connection holds, and none is accepted. */
  async cut(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((closed) => (server === undefined ? closed() : server.close(() => closed())))
  }

  /** Connections are accepted and hold, and nothing is ever answered. */
  swallow(): void {
    this.#isSilent = true
  }

  /** As at the beginning, at the same port. */
  async mend(): Promise<void> {
    this.#isSilent = false
    if (this.#server !== undefined) return
    const server = createServer((near) => {
      this.begun += 1
      this.#near.add(near)
      near.on('close', () => this.#near.delete(near))
      const far = connect({ host, port })
      const ends: [Socket, Socket][] = [
        [near, far],
        [far, near],
      ]
      for (const [from, to] of ends) {
        this.#sockets.add(from)
        from.on('data', (data) => {
          if (!this.#isSilent) to.write(data)
        })
        from.on('error', () => from.destroy())
        from.on('close', () => {
          this.#sockets.delete(from)
          to.destroy()
        })
      }
    })
    await new Promise<void>((listening, failed) => {
      server.once('error', failed)
      server.listen(this.#port, host, listening)
    })
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('The wire has no address.')
    this.#port = address.port
    this.#server = server
  }
}
