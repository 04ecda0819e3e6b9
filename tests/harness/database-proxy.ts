import { connect, createServer, type Server, type Socket } from 'node:net'

/** Stands between the application and PostgreSQL, and is the network that fails. */
export interface DatabaseProxy {
  port: number
  /**
   * `open` hands everything on; `closed` refuses connections; `silent` takes them and whatever is sent, and hands nothing
   * on, in either direction, without ever saying so.
   */
  state: 'open' | 'closed' | 'silent'
  /** How long a new connection waits until it is handed on, as on a machine that has no time. */
  delayMs: number
  /** How many connections go through it. */
  connections(): number
  /** Hands nothing more on for the connections that there are, as backends that are stopped; new ones work. */
  stall(): void
  /** Breaks the connections that there are. */
  cut(): void
  /** The same address through this proxy. */
  through(url: string): string
  close(): Promise<void>
}

export async function openDatabaseProxy(serverUrl: string): Promise<DatabaseProxy> {
  const { hostname, port: serverPort } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  const stalled = new WeakSet<Socket>()
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  }
  const server: Server = createServer((client) => {
    keep(client)
    client.on('error', () => {})
    if (proxy.state === 'closed') {
      client.resetAndDestroy()
      return
    }
    if (proxy.delayMs === 0) handOn(client)
    else setTimeout(handOn, proxy.delayMs, client)
  })
  const handOn = (client: Socket): void => {
    if (client.destroyed) return
    const upstream = connect(Number(serverPort || 5432), hostname)
    keep(upstream)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (data: Buffer) => proxy.state === 'silent' || stalled.has(from) || to.write(data))
      from.on('error', () => to.destroy())
      from.on('close', () => proxy.state === 'silent' || to.destroy())
    }
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  const proxy: DatabaseProxy = {
    port,
    state: 'open',
    delayMs: 0,
    connections: () => sockets.size / 2,
    stall() {
      for (const socket of sockets) stalled.add(socket)
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    through(url) {
      const other = new URL(url)
      other.hostname = '127.0.0.1'
      other.port = String(port)
      return other.href
    },
    async close() {
      proxy.cut()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
  return proxy
}
