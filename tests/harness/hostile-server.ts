import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A server on the loopback address that counts what reaches it. */
export interface CountingServer {
  /** `127.0.0.1:4310` */
  place: string
  port: number
  /** Connections so far. */
  readonly connections: number
  /** Connections that are open. */
  readonly open: number
  /** Method and path of each request, in their order. */
  readonly requests: string[]
  /** Bytes that it could write so far. */
  readonly bytesSent: number
  close(): Promise<void>
}

async function listen(server: Server, host: string, requests: string[], at = 0): Promise<CountingServer> {
  const sockets = new Set<Socket>()
  let connections = 0
  let bytesEnded = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      bytesEnded += socket.bytesWritten
      sockets.delete(socket)
    })
  })
  await new Promise<void>((listening) => server.listen(at, host, listening))
  const { port } = server.address() as AddressInfo
  return {
    place: `${host}:${port}`,
    port,
    requests,
    get connections() {
      return connections
    },
    get open() {
      return sockets.size
    },
    get bytesSent() {
      return [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, bytesEnded)
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** A server that speaks HTTP. */
export async function startHttp(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  host = '127.0.0.1',
  port?: number,
): Promise<CountingServer> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.on('error', () => {})
    handle(request, response)
  })
  return listen(server, host, requests, port)
}

/** A server that does with a connection what it likes. */
export async function startTcp(handle: (socket: Socket) => void, host = '127.0.0.1'): Promise<CountingServer> {
  return listen(
    createTcpServer((socket) => handle(socket)),
    host,
    [],
  )
}
